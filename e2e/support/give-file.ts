import type { Locator } from '@playwright/test'

/** A PNG of one pixel, in Base64. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Gives a file to an editor as the browser does when it is pasted or dropped. */
export const giveFile = (
  editor: Locator,
  how: 'paste' | 'drop',
  { name, type, base64 }: { name: string; type: string; base64: string },
) =>
  editor.evaluate(
    (element, file) => {
      const data = new DataTransfer()
      data.items.add(
        new File([Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0))], file.name, {
          type: file.type,
        }),
      )
      const options = { bubbles: true, cancelable: true, composed: true }
      element.dispatchEvent(
        file.how === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent('drop', { ...options, dataTransfer: data }),
      )
    },
    { how, name, type, base64 },
  )
