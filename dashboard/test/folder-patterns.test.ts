import { expect, test } from 'vitest'
import { folderPatterns, patternsUnder } from '../src/features/websites/folder-patterns.ts'

test.each([
  ['https://example.com', []],
  ['https://example.com/', []],
  ['https://example.com/start.html', []],
  ['https://example.com/help', ['/help/', '/help$', '/help?']],
  ['https://example.com/help/?from=menu', ['/help/', '/help$', '/help?']],
  ['https://example.com/en/help/index.php', ['/en/help/', '/en/help$', '/en/help?']],
  ['https://example.com/docs/v1.2', ['/docs/v1.2/', '/docs/v1.2$', '/docs/v1.2?']],
  ['https://example.com/help/sitemap.xml', []],
  ['https://example.com/prices$', []],
  ['not a URL', []],
])('the pages under %s have the patterns %j', (url, patterns) => {
  expect(folderPatterns(url)).toEqual(patterns)
})

test.each([
  ['/docs', '/docs/intro', '/docs'],
  ['/docs/', '/docs', '/docs'],
  ['/docs/start.html', '/docs/start', '/docs'],
  ['/help', '/support/', '/support'],
  ['/help', '/helpdesk/', '/helpdesk'],
])('of %s, which redirects to %s, the pages under %s are read', (typedPath, crawledPath, folder) => {
  const site = 'https://example.com'
  expect(patternsUnder(site + typedPath, site + crawledPath)).toEqual([`${folder}/`, `${folder}$`, `${folder}?`])
})

test('of a folder that redirects to the whole site, the whole site is read', () => {
  expect(patternsUnder('https://example.com/docs', 'https://docs.example.com/')).toEqual([])
})
