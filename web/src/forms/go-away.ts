import { draftsWritten } from './drafts.ts'
import { freeUnload } from './unsaved.ts'

/**
 * Leaves for a site that redirects back, such as an identity provider. Stores drafts first, which restores the input afterwards.
 */
export const goAway = async (url: string): Promise<void> => {
  await draftsWritten()
  freeUnload()
  window.location.assign(url)
}
