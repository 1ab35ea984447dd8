import { provideChromium } from './browser.ts'

export const setup = provideChromium
