import type { Output } from '@sortie/client/calls.ts'

export type Webhook = Output<'listWebhookEndpoints'>['data'][number]
export type CreatedWebhook = Output<'createWebhookEndpoint'>['data']
export type Delivery = Output<'listWebhookDeliveries'>['data'][number]

export const FORMAT_LABELS: Readonly<Record<Webhook['format'], string>> = {
  standard: 'Standard Webhooks',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  mattermost: 'Mattermost',
  matrix: 'Matrix (hookshot)',
}
