import type { Endpoint } from '@sortie/contract/core/endpoint.ts'
import { getEngagementDetails } from '@sortie/contract/engagement/engagement-details.ts'
import { getEngagement, listEngagements } from '@sortie/contract/engagement/engagements.ts'
import { listScopeRules } from '@sortie/contract/engagement/scope-rules.ts'
import { getFinding, listFindings } from '@sortie/contract/findings/findings.ts'
import { getWikiPage } from '@sortie/contract/wiki/wiki.ts'
import { invalid, notFound } from '../../../platform/errors.ts'
import type { McpCaller } from '../caller.ts'
import { readBrief, readScope } from '../tools/engagement-tools.ts'
import { OF_FINDING } from '../tools/finding-tools.ts'
import { listAnswer } from '../tools/pages.ts'
import { whole } from '../tools/untrusted.ts'
import { OF_PAGE } from '../tools/wiki-tools.ts'
import { ENGAGEMENT_PARTS, type EngagementPart } from './addresses.ts'

const JSON_TYPE = 'application/json'

const DESCRIPTIONS: Readonly<Record<EngagementPart, string>> = {
  brief: 'what the engagement is about, when and how it is tested, and whom to ask',
  scope: 'the scope rules: `deny` wins over `allow`, and what no rule allows is out of scope',
  findings: 'the findings, without their texts',
}

export const RESOURCE_TEMPLATES = [
  ...ENGAGEMENT_PARTS.map((part) => ({
    uriTemplate: `sortie://engagements/{engagementId}/${part}`,
    name: `engagement-${part}`,
    description: DESCRIPTIONS[part],
    mimeType: JSON_TYPE,
  })),
  {
    uriTemplate: 'sortie://findings/{findingId}',
    name: 'finding',
    description: 'a finding with its texts',
    mimeType: JSON_TYPE,
  },
  { uriTemplate: 'sortie://pages/{pageId}', name: 'page', description: 'a page in Markdown', mimeType: JSON_TYPE },
] as const

/** What reading a part needs. */
const NEEDED: Readonly<Record<EngagementPart, readonly Endpoint[]>> = {
  brief: [getEngagement, getEngagementDetails],
  scope: [listScopeRules],
  findings: [listFindings],
}

/** The parts of each engagement that the caller sees; a page of the list of engagements at a time. */
export const listResources = async ({ call, permits }: McpCaller, cursor: string | undefined) => {
  if (!permits(listEngagements)) return { resources: [] }
  if (cursor !== undefined && !/^[1-9]\d{0,6}$/.test(cursor)) throw invalid('cursor: must be that of the last answer')
  const page = cursor === undefined ? 1 : Number(cursor)
  const { data, meta } = await call(listEngagements, { page })
  const parts = ENGAGEMENT_PARTS.filter((part) => NEEDED[part].every(permits))
  const resources = data.flatMap(({ id, name }: { id: string; name: string }) =>
    parts.map((part) => ({
      uri: `sortie://engagements/${id}/${part}`,
      name: `${part} of ${name}`,
      description: DESCRIPTIONS[part],
      mimeType: JSON_TYPE,
    })),
  )
  return { resources, ...(page < meta.totalPages && { nextCursor: String(page + 1) }) }
}

/** @throws ApiError as the endpoints that it calls, NOT_FOUND for an address that names nothing */
export const readResource = async (caller: McpCaller, uri: string) => {
  const text = JSON.stringify(await contentOf(caller, uri))
  return { contents: [{ uri, mimeType: JSON_TYPE, text }] }
}

const contentOf = async (caller: McpCaller, uri: string): Promise<unknown> => {
  const [, kind, id, part] = /^sortie:\/\/(engagements|findings|pages)\/([a-z]{3}_[0-9a-z]{26})(?:\/([a-z]+))?$/.exec(
    uri,
  ) ?? [undefined]
  if (id === undefined) throw notFound()
  const { call } = caller
  if (kind === 'findings' && part === undefined) {
    const { data } = await call(getFinding, { findingId: id })
    return whole(data, OF_FINDING, undefined, { tool: 'list_findings', arguments: { findingId: id } })
  }
  if (kind === 'pages' && part === undefined) {
    const { data } = await call(getWikiPage, { pageId: id })
    return whole(data, OF_PAGE, undefined, { tool: 'get_page', arguments: { pageId: id } })
  }
  if (kind === 'engagements' && part === 'brief') return readBrief({ ...caller, args: {} }, id)
  if (kind === 'engagements' && part === 'scope') return scopeOf(caller, id)
  if (kind === 'engagements' && part === 'findings') return findingsOf(caller, id)
  throw notFound()
}

/** A list answers an unknown engagement with an empty page; a resource that does not exist is not found. */
const scopeOf = async (caller: McpCaller, engagementId: string) => {
  await requireEngagement(caller, engagementId)
  const { nextCursor, ...scope } = await readScope({ ...caller, args: {} }, engagementId)
  const next = nextCursor && { tool: 'rules_of_engagement', arguments: { engagementId, cursor: nextCursor } }
  return { ...scope, next }
}

const findingsOf = async (caller: McpCaller, engagementId: string) => {
  await requireEngagement(caller, engagementId)
  const args = { engagementId, perPage: 100 }
  return listAnswer('list_findings', args, await caller.call(listFindings, args), OF_FINDING, ({ id }) => ({
    tool: 'list_findings',
    arguments: { findingId: id },
  }))
}

const requireEngagement = async ({ call, permits }: McpCaller, engagementId: string): Promise<void> => {
  if (permits(getEngagement)) await call(getEngagement, { engagementId })
}
