// Has the browser fetch the typeface with the page rather than after its styles, so that text does not change its face.
import type { Plugin } from 'vite'

export function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const font = Object.keys(bundle).find((name) => /inter-latin-wght-normal-.*\.woff2$/.test(name))
        if (!font) throw new Error('The typeface is not in the build')
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: '' }
        return [{ tag: 'link', attrs, injectTo: 'head' }]
      },
    },
  }
}
