import { expect, test } from 'vitest'
import { folderPatterns } from '../src/features/websites/folder-patterns.ts'

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
