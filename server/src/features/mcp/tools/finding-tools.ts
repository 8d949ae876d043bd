import type { Endpoint } from '@sortie/contract/core/endpoint.ts'
import { uploadFile } from '@sortie/contract/core/files.ts'
import {
  createFinding,
  getFinding,
  listFindings,
  updateFinding,
  uploadFindingFile,
} from '@sortie/contract/findings/findings.ts'
import { uploadResultFile } from '@sortie/contract/inventory/results.ts'
import { uploadTaskFile } from '@sortie/contract/tasks/task-files.ts'
import { uploadWikiPageFile } from '@sortie/contract/wiki/wiki-content.ts'
import { invalid } from '../../../platform/errors.ts'
import { engagementLink, findingLink, pageLink } from '../resources/addresses.ts'
import { CONTENT, contentOf } from './content.ts'
import { inputOf } from './input.ts'
import { listAnswer } from './pages.ts'
import type { Link, Tool } from './tool.ts'
import { TEXT_FROM, whole } from './untrusted.ts'

/** Findings quote what tools and targets wrote. */
export const OF_FINDING = ['title', 'summary', 'description', 'impact', 'reproduction', 'recommendation', 'tags']

/** What people decide: whether it is verified, who is responsible, and what the client says. */
const OF_PEOPLE = ['verification', 'clientStatus', 'authorId', 'reviewerId', 'retestOf']

/** The object that a file is attached to, by the argument that names it. */
const OWNERS: Readonly<Record<string, Endpoint>> = {
  engagementId: uploadFile,
  taskId: uploadTaskFile,
  resultId: uploadResultFile,
  findingId: uploadFindingFile,
  pageId: uploadWikiPageFile,
}

export const FINDING_TOOLS: readonly Tool[] = [
  {
    name: 'upload_evidence',
    title: 'Upload evidence',
    description:
      'Attaches a file (a picture, a log, a capture) to a finding, result, task, page or the engagement itself: name exactly one of them. Give its text in `content`, or Base64 in `contentBase64`.',
    endpoints: Object.values(OWNERS),
    input: inputOf(Object.values(OWNERS), { omit: ['redacts'], add: CONTENT, required: ['fileName'] }),
    run: async ({ call, args: { content, contentBase64, ...args } }) => {
      const named = Object.keys(OWNERS).filter((name) => args[name] !== undefined)
      const [owner] = named
      if (owner === undefined || named.length > 1)
        throw invalid('findingId: name exactly one object to attach the file to')
      const { data } = await call(OWNERS[owner] as Endpoint, args, contentOf(content, contentBase64))
      return { value: { data }, links: ownerLinks(args) }
    },
  },
  {
    name: 'list_findings',
    title: 'List findings',
    description:
      'Lists the findings of an engagement, without their texts. With findingId it reads one with its texts and the `revision` that update_finding needs.',
    endpoints: [listFindings, getFinding],
    input: inputOf([listFindings], {
      omit: ['trashed', 'clientId'],
      add: { ...inputOf([getFinding]).properties, ...TEXT_FROM },
    }),
    run: async ({ call, args: { textFrom, findingId, ...args } }) => {
      if (findingId === undefined) {
        if (textFrom !== undefined) throw invalid('textFrom: needs the findingId to read on in')
        const reply = await call(listFindings, args)
        return {
          value: listAnswer('list_findings', args, reply, OF_FINDING, ({ id }) => readFinding(id)),
          links: engagementLink(args['engagementId'], 'findings'),
        }
      }
      const { data } = await call(getFinding, { findingId })
      return { value: whole(data, OF_FINDING, textFrom, readFinding(data.id)), links: [findingLink(data)] }
    },
  },
  {
    name: 'propose_finding',
    title: 'Propose a finding',
    description:
      'Creates a draft of a finding, marked as found by a machine: a person verifies it. Give `proofs` (runs, requests, scans) that show it, and resultIds of the results that it is about. Search first, so that nothing is reported twice.',
    endpoints: [createFinding],
    input: inputOf([createFinding], { omit: [...OF_PEOPLE, 'resultFilter'] }),
    run: async ({ call, args }) => {
      const { data } = await call(createFinding, { ...args, verification: 'machine_found' })
      return { value: whole(data, OF_FINDING, undefined, readFinding(data.id)), links: [findingLink(data)] }
    },
  },
  {
    name: 'update_finding',
    title: 'Update a finding',
    description:
      'Changes the fields and texts of a finding. A text needs `baseRevision`, which list_findings with findingId gives. `state: "in_review"` hands it to a person. Never approves or verifies.',
    endpoints: [updateFinding],
    input: inputOf([updateFinding], {
      omit: OF_PEOPLE,
      add: { state: { type: 'string', enum: ['draft', 'in_review'] } },
    }),
    run: async ({ call, args }) => {
      if (args['state'] === 'approved') throw invalid('state: must be draft or in_review; people approve findings')
      const { data, meta } = await call(updateFinding, args)
      return {
        value: { ...whole(data, OF_FINDING, undefined, readFinding(data.id)), ...(meta && { merged: meta.merged }) },
        links: [findingLink(data)],
      }
    },
  },
]

const readFinding = (findingId: string) => ({ tool: 'list_findings', arguments: { findingId } })

const ownerLinks = ({ engagementId, findingId, pageId }: Record<string, unknown>): Link[] => [
  ...engagementLink(engagementId, 'brief'),
  ...(typeof findingId === 'string' ? [findingLink({ id: findingId })] : []),
  ...(typeof pageId === 'string' ? [pageLink({ id: pageId })] : []),
]
