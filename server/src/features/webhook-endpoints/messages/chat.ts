import type { DELIVERED_EVENTS } from '@sortie/contract/organization/webhook-events.ts'
import type { EndpointRow } from '../webhook-endpoints.queries.ts'
import type { Message } from './message.ts'

type ChatFormat = Exclude<EndpointRow['format'], 'standard'>

/** Without a name: thin messages show neither client nor engagement nor title. */
const SENTENCES: Readonly<Record<(typeof DELIVERED_EVENTS)[number], string>> = {
  'engagement.created': 'An engagement was created',
  'engagement.status_changed': 'The status of an engagement changed',
  'engagement.deleted': 'An engagement was deleted',
  'engagement.restored': 'An engagement was restored',
  'scope.changed': 'The scope of an engagement changed',
  'target.created': 'Targets were added',
  'scan.finished': 'A scan ended',
  'import.finished': 'An import ended',
  'result.created': 'Vulnerabilities were found',
  'finding.created': 'A finding was created',
  'finding.state_changed': 'The state of a finding changed',
  'finding.published': 'A finding was published',
  'finding.status_changed': 'The status of a finding changed',
  'finding.client_status_changed': 'The client changed its status of a finding',
  'task.created': 'A task was created',
  'task.assigned': 'A task was assigned',
  'task.done': 'A task is done',
  'report.delivered': 'A report was delivered',
  'retest.requested': 'A retest was planned',
  'member.joined': 'A member joined',
  'member.removed': 'A member left',
  'api_key.created': 'An API key was created',
  'api_key.deleted': 'An API key was deleted',
  'agent.stopped': 'An agent was stopped',
  ping: 'This is a test of the webhook',
}

/** One line for people, escaped for the service: it formats nothing, and mentions no one. */
export const chatText = (format: ChatFormat, { type, data, object, engagementName }: Message): string => {
  const escape = ESCAPES[format]
  const sentence = SENTENCES[type as keyof typeof SENTENCES]
  const facts = [
    typeof data['count'] === 'number' && `${data['count']}`,
    nameOf(object),
    textIn(object, 'severity'),
    typeof data['from'] === 'string' && typeof data['to'] === 'string' && `${data['from']} → ${data['to']}`,
    textIn(data, 'state'),
    engagementName,
  ].filter((fact): fact is string => typeof fact === 'string')
  return facts.length === 0 ? `${sentence}.` : `${sentence}: ${facts.map(escape).join(', ')}`
}

const nameOf = (object: object | undefined) => textIn(object, 'title') ?? textIn(object, 'name')

const textIn = (object: object | undefined, field: string): string | undefined => {
  const value = (object as Record<string, unknown> | undefined)?.[field]
  return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ') : undefined
}

/** Between `@` and a name: the services then see no mention. */
const ZERO_WIDTH_SPACE = '\u200b'

const plain = (text: string): string => text.replaceAll('@', `@${ZERO_WIDTH_SPACE}`)

const escapeMarkdown = (text: string): string => plain(text).replaceAll(/[\\`*_{}[\]()#+\-.!|<>~&:]/g, String.raw`\$&`)

const ESCAPES: Readonly<Record<ChatFormat, (text: string) => string>> = {
  // The three control characters of mrkdwn; mentions are written as <!channel> and <@U...>.
  slack: (text) => plain(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  teams: escapeMarkdown,
  mattermost: escapeMarkdown,
  matrix: escapeMarkdown,
}

/** The JSON that each service documents for incoming webhooks; `matrix` is a webhook of hookshot. */
export const chatBody = (format: ChatFormat, text: string, url: string | undefined): string => {
  if (format === 'slack') return JSON.stringify({ text: url === undefined ? text : `${text} <${url}|Open>` })
  if (format === 'teams')
    return JSON.stringify({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [{ type: 'TextBlock', text, wrap: true }],
            ...(url !== undefined && { actions: [{ type: 'Action.OpenUrl', title: 'Open', url }] }),
          },
        },
      ],
    })
  return JSON.stringify({ text: url === undefined ? text : `${text} [Open](${url})` })
}
