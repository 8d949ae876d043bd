import { search } from '@sortie/contract/core/search.ts'
import { getEngagementDetails } from '@sortie/contract/engagement/engagement-details.ts'
import { getEngagement, listEngagements } from '@sortie/contract/engagement/engagements.ts'
import { checkScope, listScopeRules } from '@sortie/contract/engagement/scope-rules.ts'
import { engagementLink } from '../resources/addresses.ts'
import { inputOf } from './input.ts'
import { nextPage } from './pages.ts'
import type { Tool, ToolCall } from './tool.ts'
import { listed } from './untrusted.ts'

/** The brief of an engagement: what it is about, when and how it is tested, and whom to ask. */
export const readBrief = async ({ call }: ToolCall, engagementId: unknown) => {
  const engagement = await call(getEngagement, { engagementId })
  const details = await call(getEngagementDetails, { engagementId })
  const { id, name, description, status } = engagement.data
  const { kind, kinds, startsOn, endsOn, testingHours, contacts, clientName, team, lead } = details.data
  return {
    id,
    name,
    description,
    status,
    clientName,
    kind,
    kinds,
    startsOn,
    endsOn,
    testingHours,
    contacts,
    lead,
    team,
  }
}

/** Rules of one call; the answer says how to read more. */
const RULES_AT_ONCE = 100

/** The scope rules of an engagement, a page of them. */
export const readScope = async ({ call }: ToolCall, engagementId: unknown, cursor?: unknown) => {
  const { data, meta } = await call(listScopeRules, { engagementId, perPage: RULES_AT_ONCE, cursor })
  const rules = (data as Record<string, unknown>[]).map(({ id, effect, pattern, kind, note }) => ({
    id,
    effect,
    pattern,
    kind,
    note,
  }))
  return { rules, total: meta.total, nextCursor: meta.nextCursor as string | null }
}

const NO_SCOPE = 'This key lacks targets:read, so it sees no scope rules. Send nothing to any target.'

export const ENGAGEMENT_TOOLS: readonly Tool[] = [
  {
    name: 'list_engagements',
    title: 'List engagements',
    description:
      'Lists the engagements that this key sees, with id, name and status. Start here: every other tool needs an engagementId.',
    endpoints: [listEngagements],
    input: inputOf([listEngagements], { omit: ['leadId', 'kind'] }),
    run: async ({ call, args }) => {
      const { data, meta } = await call(listEngagements, args)
      const next =
        meta.page < meta.totalPages ? { tool: 'list_engagements', arguments: { ...args, page: meta.page + 1 } } : null
      return {
        value: { data, total: meta.total, next },
        links: data.flatMap(({ id }: { id: string }) => engagementLink(id, 'brief')),
      }
    },
  },
  {
    name: 'rules_of_engagement',
    title: 'Rules of engagement',
    description:
      'Reads what the engagement allows: status, dates, testing hours, contacts and scope rules. Read it before anything is sent. `deny` wins over `allow`, and what no rule allows is out of scope.',
    endpoints: [getEngagement, getEngagementDetails, listScopeRules],
    required: [getEngagement, getEngagementDetails],
    input: inputOf([getEngagement], {
      add: { cursor: { type: 'string', maxLength: 200, description: 'of `next`: reads more scope rules' } },
    }),
    run: async (toolCall) => {
      const { args, permits } = toolCall
      const brief = await readBrief(toolCall, args['engagementId'])
      const scope = permits(listScopeRules)
        ? await readScope(toolCall, args['engagementId'], args['cursor'])
        : undefined
      return {
        value: {
          ...brief,
          scope: scope ? { rules: scope.rules, total: scope.total } : NO_SCOPE,
          next: scope && nextPage('rules_of_engagement', args, scope.nextCursor),
        },
        links: scope ? engagementLink(args['engagementId'], 'scope') : engagementLink(args['engagementId'], 'brief'),
      }
    },
  },
  {
    name: 'check_scope',
    title: 'Check scope',
    description:
      'Says for each host, address, network or URL whether the scope rules allow it (`in`, `out`, `caution`, `unknown`), by which rule, and whether anything may be sent now. Only `in` may be tested; ask a person about `caution`. Sends nothing.',
    endpoints: [checkScope],
    input: inputOf([checkScope]),
    run: async ({ call, args }) => {
      const { data, meta } = await call(checkScope, args)
      return { value: { data, engagement: meta.engagement }, links: engagementLink(args['engagementId'], 'scope') }
    },
  },
  {
    name: 'search',
    title: 'Search',
    description:
      'Finds pages, targets, tasks, results, requests and findings by words, at most a few of each. Without engagementId it searches everything that this key sees.',
    endpoints: [search],
    input: inputOf([search]),
    run: async ({ call, args }) => {
      const { data } = await call(search, args)
      return {
        value: { data: data.map((one: Record<string, unknown>) => listed(one, ['title', 'excerpt'])) },
        links: engagementLink(args['engagementId'], 'brief'),
      }
    },
  },
]
