import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'

const WHOLE = ['chromium', 'chromium-browser', 'google-chrome']
/**
 * Without the parts that need a screen: it uses a third less processor time, and does not support dragging by a finger.
 */
const WITHOUT_SCREEN = 'chromium-headless-shell'

/** Without these the browser contacts its maker, which tests must not do. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-default-apps',
]

/**
 * There is no graphics card: drawing in the browser's own process, and not in a separate one, takes a tenth less time.
 */
const WITHOUT_GRAPHICS = ['--in-process-gpu']

/**
 * Pages of tests live for seconds: with a larger young generation, little garbage is collected. Takes a twelfth less
 * time.
 */
const ROOM_FOR_NEW = ['--js-flags=--min-semi-space-size=16']

/** The first of these browsers that the system has; otherwise the one that Playwright installs. */
const launching = (names: readonly string[]): LaunchOptions => {
  const executablePath = names.map((name) => `/usr/bin/${name}`).find((file) => existsSync(file))
  return {
    ...(executablePath && { executablePath }),
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...QUIET, ...WITHOUT_GRAPHICS, ...ROOM_FOR_NEW],
  }
}

export const BROWSER = launching([WITHOUT_SCREEN, ...WHOLE])
export const WHOLE_BROWSER = launching(WHOLE)
