// robots.txt by RFC 9309, patterns, and URL normalisation.
import { describe, expect, test } from 'vitest'
import { judgeUrl, normaliseUrl } from '../../src/sources/crawl/page-urls.ts'
import { matchPath, parseRobots } from '../../src/sources/crawl/robots.ts'
import { measureCpuMs } from '../harness/event-loop.ts'
import { expectBelow } from '../harness/timing.ts'

describe('robots.txt', () => {
  test.each([
    ['an empty file', '', '/a', true],
    ['a file that is no robots.txt', '<html>not found</html>', '/a', true],
    ['all closed', 'User-agent: *\nDisallow: /', '/a', false],
    ['all closed, but not robots.txt itself', 'User-agent: *\nDisallow: /', '/robots.txt', true],
    ['an empty rule', 'User-agent: *\nDisallow:', '/a', true],
    ['rules for others', 'User-agent: otherbot\nDisallow: /', '/a', true],
    [
      'our own group before the one for all',
      'User-agent: *\nDisallow: /\nUser-agent: docentbot\nDisallow: /b',
      '/a',
      true,
    ],
    ['our name in any case and with a version', 'User-agent: DOCENTBOT/2.0\nDisallow: /a', '/a', false],
    ['a name that only begins like ours', 'User-agent: docentbotplus\nDisallow: /', '/a', true],
    ['several names for one group', 'User-agent: x\nUser-agent: DocentBot\nDisallow: /a', '/a', false],
    [
      'two groups with our name as one',
      'User-agent: docentbot\nDisallow: /a\n\nUser-agent: docentbot\nDisallow: /b',
      '/b',
      false,
    ],
    ['the longest rule', 'User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['the longest rule, whatever the order', 'User-agent: *\nAllow: /a\nDisallow: /a/b', '/a/b/c', false],
    ['allow on a tie', 'User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
    ['a star', 'User-agent: *\nDisallow: /*.php', '/x/y.php?z', false],
    ['an end', 'User-agent: *\nDisallow: /*.php$', '/x/y.php?z', true],
    ['a query', 'User-agent: *\nDisallow: /*?sort=', '/list?sort=up', false],
    ['paths with capitals', 'User-agent: *\nDisallow: /A', '/a', true],
    ['escapes', 'User-agent: *\nDisallow: /%7ename/%e4', '/~name/%E4', false],
    ['letters beyond ASCII', 'User-agent: *\nDisallow: /größe', '/gr%C3%B6%C3%9Fe', false],
    ['comments, odd spaces and line ends', '# all\r\n user-agent : * # us\r\n  DISALLOW :/a # no\r\n', '/a', false],
    ['rules before any name', 'Disallow: /a\nUser-agent: *\nDisallow: /b', '/a', true],
    ['a byte order mark', '\uFEFFUser-agent: *\nDisallow: /a', '/a', false],
    ['unknown lines within a group', 'User-agent: *\nNoindex: /x\nDisallow: /a', '/a', false],
    ['a sitemap between name and rule', 'User-agent: *\nSitemap: https://x.test/s.xml\nDisallow: /a', '/a', false],
  ])('%s', (_, text, path, isAllowed) => expect(parseRobots(text).allows(path)).toBe(isAllowed))

  test('contains the delay and the sitemaps', () => {
    const rules = parseRobots('Sitemap: https://x.test/a.xml\nUser-agent: *\nCrawl-delay: 2.5\nsitemap: /b.xml')
    expect([rules.delayMs, rules.sitemaps]).toEqual([2500, ['https://x.test/a.xml', '/b.xml']])
    expect(parseRobots('User-agent: *\nCrawl-delay: soon').delayMs).toBeNull()
  })

  test('is matched quickly, whatever its patterns', async () => {
    const rules = parseRobots(`User-agent: *\n${`Disallow: /${'*a'.repeat(1000)}$\n`.repeat(100)}`)
    await expectBelow(1000, () => measureCpuMs(() => expect(rules.allows(`/${'a'.repeat(1900)}b`)).toBe(true)))
  })
})

test.each([
  ['/a', '/abc', true],
  ['/a$', '/abc', false],
  ['/a$', '/a', true],
  ['*', '/anything', true],
  ['/a*c', '/abbbc/d', true],
  ['/a*c$', '/abbbc/d', false],
  ['/a*c$', '/abcbc', true],
  ['/ab*ab$', '/ab', false],
  ['/*/x', '/x', false],
  ['$', '/', false],
])('the pattern %s on %s: %s', (pattern, path, isMatch) => expect(matchPath(pattern, path)).toBe(isMatch))

test.each([
  ['http://Example.TEST:80/a/../b#part', 'http://example.test/b'],
  ['https://example.test:443', 'https://example.test/'],
  ['https://example.test/a?utm_source=x&id=7&gclid=y', 'https://example.test/a?id=7'],
  ['https://example.test/a?utm_source=x', 'https://example.test/a'],
  ['https://example.test/a/index.html', 'https://example.test/a/'],
  ['https://example.test/a;jsessionid=1F/b', 'https://example.test/a/b'],
  ['../c d', 'https://example.test/c%20d'],
  ['?page=2', 'https://example.test/a/b?page=2'],
  ['mailto:a@example.test', null],
  ['https://user:pass@example.test/', null],
  ['http://[broken', null],
  [`/${'x'.repeat(2000)}`, null],
])('%s becomes %s', (href, url) => expect(normaliseUrl(href, { base: 'https://example.test/a/b' })).toBe(url))

test.each([
  ['https://example.test/a', null],
  ['http://www.example.test/a', null],
  ['https://sub.example.test/a', 'off_site'],
  ['https://example.test:8443/a', 'off_site'],
  ['https://notexample.test/', 'off_site'],
  ['https://docs.example.test/a', null],
  ['https://example.test/a.XLS', 'unsupported_type'],
  ['https://example.test/x/y/x/y/x', 'trap'],
  ['https://example.test/?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9', 'trap'],
])('%s is judged %s', (url, reason) => {
  const scope = { url: 'https://example.test/start', hosts: ['docs.example.test'], include: [], exclude: [] }
  expect(judgeUrl(url, 1, scope)).toBe(reason)
})
