import type { Page } from '@playwright/test'

/**
 * Presses two keys of a sequence (`g t`) as quickly as a person does. The second one does not wait until the page has
 * handled the first: on a busy machine that may take longer than the page waits for it.
 */
export const pressSequence = async ({ keyboard }: Page, [first, second]: readonly [string, string]): Promise<void> => {
  await Promise.all([keyboard.press(first), keyboard.press(second)])
}
