import { allowUnload } from '../../ui/dialogs/unsaved.ts'
import { draftsWritten } from '../drafts/drafts.ts'

/**
 * Leaves for another site that leads back here, such as an identity provider. What was typed is stored first, and is
 * there again then.
 */
export const redirectAway = async (url: string): Promise<void> => {
  await draftsWritten()
  allowUnload()
  window.location.assign(url)
}
