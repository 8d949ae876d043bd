import { draftsWritten } from './drafts.ts'
import { freeUnload } from './unsaved.ts'

/** Leaves for another site that leads back here, such as an identity provider. What was typed is stored first, and is there again then. */
export const goAway = async (url: string): Promise<void> => {
  await draftsWritten()
  freeUnload()
  window.location.assign(url)
}
