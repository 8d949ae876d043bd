import { ShownOnce } from '../../../shell/proof/ShownOnce.tsx'
import type { CreatedWebhook } from '../webhook.ts'

export const REMINDER = 'The secret of the webhook is shown only once. Store it, then confirm below.'

/** Shows the secret of a webhook once. */
export const SecretView = ({ created, onClose }: { created: CreatedWebhook; onClose: () => void }) => (
  <ShownOnce value={created.secret} label="Secret of the webhook" noun="secret" onClose={onClose}>
    This is the only time that the secret of <b>{created.name}</b> is shown. The receiver verifies messages with it.
  </ShownOnce>
)
