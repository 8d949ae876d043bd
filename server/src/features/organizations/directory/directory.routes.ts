import type { Platform } from '../../../platform/context.ts'
import { headerOf, type Webhook } from '../../../platform/http/routes/webhook.ts'
import { openWorkos } from '../../auth/linked-accounts/providers/workos.ts'
import { receiveEvent } from './directory.service.ts'
import { parseWorkosEvent } from './workos/workos-events.ts'
import { verifyWorkosSignature } from './workos/workos-signature.ts'

/** `POST /api/workos/webhook` (open point 28). Exists only with `AUTH_PROVIDER=workos`. */
export const directoryWebhooks = async (platform: Platform): Promise<Webhook[]> => {
  const { config, clock } = platform
  const workos = await openWorkos(config)
  const secrets = config.WORKOS_WEBHOOK_SECRET
  if (!workos || !secrets) return []
  const webhook: Webhook = {
    url: '/api/workos/webhook',
    signatureHeader: 'WorkOS-Signature',
    verify: (text, headers) =>
      verifyWorkosSignature(workos, text, headerOf(headers, 'workos-signature'), secrets, clock.now()),
    receive: (text) => receiveEvent(platform, parseWorkosEvent(text)),
  }
  return [webhook]
}
