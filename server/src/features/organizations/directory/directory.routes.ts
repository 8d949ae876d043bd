import type { WorkOS } from '@workos-inc/node'
import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../../platform/http/context.ts'
import type { RequestLimits } from '../../../platform/http/limits.ts'
import { headerOf, mountWebhook } from '../../../platform/http/webhook.ts'
import { receiveEvent } from './directory.service.ts'
import { parseWorkosEvent } from './workos-events.ts'
import { verifyWorkosSignature } from './workos-signature.ts'

/** `POST /api/workos/webhook` (open point 28). Without `AUTH_PROVIDER=workos` it does not exist. */
export const mountDirectoryWebhook = (app: FastifyInstance, platform: Platform, limits: RequestLimits, workos: WorkOS | undefined): void => {
  const { config, clock } = platform
  const secrets = config.WORKOS_WEBHOOK_SECRET
  if (!workos || !secrets) return
  mountWebhook(app, limits, {
    url: '/api/workos/webhook',
    verify: (text, headers) => verifyWorkosSignature(workos, text, headerOf(headers, 'workos-signature'), secrets, clock.now()),
    receive: (text) => receiveEvent(platform, parseWorkosEvent(text)),
  })
}
