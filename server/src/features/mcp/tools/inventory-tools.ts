import { createImport } from '@sortie/contract/inventory/imports.ts'
import { createOperation } from '@sortie/contract/inventory/operation-log.ts'
import { getResult, getResultExcerpt, listResults } from '@sortie/contract/inventory/results.ts'
import { createScan, getScan, listScanners } from '@sortie/contract/inventory/scans.ts'
import { listTargets } from '@sortie/contract/inventory/targets.ts'
import { engagementLink } from '../resources/addresses.ts'
import { CONTENT, contentOf } from './content.ts'
import { inputOf } from './input.ts'
import { listAnswer } from './pages.ts'
import type { Tool } from './tool.ts'
import { TEXT_FROM, whole } from './untrusted.ts'

/** Fields of a target that come from its name and from scanners. */
const OF_TARGET = ['value', 'canonical', 'notes']
const OF_RESULT = ['asset', 'title', 'data', 'notes', 'tags']
const OF_SCAN = ['stateReason', 'targets']

export const INVENTORY_TOOLS: readonly Tool[] = [
  {
    name: 'list_targets',
    title: 'List targets',
    description:
      'Lists the targets of an engagement with their scope verdict and the worst severity found on them. Filter with `verdict: ["in"]` for those that may be tested.',
    endpoints: [listTargets],
    input: inputOf([listTargets], { omit: ['trashed'], required: ['engagementId'] }),
    run: async ({ call, args }) => ({
      value: listAnswer('list_targets', args, await call(listTargets, args), OF_TARGET),
      links: engagementLink(args['engagementId'], 'scope'),
    }),
  },
  {
    name: 'list_results',
    title: 'List results',
    description:
      'Lists what scanners and imports found: hosts, services, certificates, web paths, vulnerabilities. Long texts are shortened; get_result reads one as a whole.',
    endpoints: [listResults],
    input: inputOf([listResults], { omit: ['trashed'], required: ['engagementId'] }),
    run: async ({ call, args }) => ({
      value: listAnswer('list_results', args, await call(listResults, args), OF_RESULT, ({ id }) => ({
        tool: 'get_result',
        arguments: { resultId: id },
      })),
      links: engagementLink(args['engagementId'], 'brief'),
    }),
  },
  {
    name: 'get_result',
    title: 'Get a result',
    description: 'Reads one result with everything that tools reported about it, and the text of its evidence.',
    endpoints: [getResult, getResultExcerpt],
    input: inputOf([getResult], { add: TEXT_FROM }),
    run: async ({ call, args: { textFrom, ...args } }) => {
      const { data } = await call(getResult, args)
      const excerpt = (await call(getResultExcerpt, args)).data
      const item = { ...data, evidence: excerpt.text, evidenceIsCut: excerpt.isCut }
      return {
        value: whole(item, [...OF_RESULT, 'evidence'], textFrom, { tool: 'get_result', arguments: args }),
        links: engagementLink(data.engagementId, 'brief'),
      }
    },
  },
  {
    name: 'list_scanners',
    title: 'List scanners',
    description:
      'Lists the scanners of this server with what they take and their options, and why one is not available. Their ids and options go into propose_scan.',
    endpoints: [listScanners],
    input: inputOf([listScanners]),
    run: async ({ call }) => ({ value: { data: (await call(listScanners, {})).data } }),
  },
  {
    name: 'propose_scan',
    title: 'Propose a scan',
    description:
      'Starts a scan of targets of the engagement, which sends traffic to them. Refused for targets out of scope, outside the testing hours and in an engagement that is not active. Follow it with get_scan, then read list_results with its scanId.',
    endpoints: [createScan],
    input: inputOf([createScan], { omit: ['override'] }),
    isOpenWorld: true,
    run: async ({ call, args }) => ({
      value: whole((await call(createScan, args)).data, OF_SCAN, undefined),
      links: engagementLink(args['engagementId'], 'scope'),
    }),
  },
  {
    name: 'get_scan',
    title: 'Get a scan',
    description: 'Reads the state, progress and counts of a scan.',
    endpoints: [getScan],
    input: inputOf([getScan], { add: TEXT_FROM }),
    run: async ({ call, args: { textFrom, ...args } }) => {
      const { data } = await call(getScan, args)
      return {
        value: whole(data, OF_SCAN, textFrom, { tool: 'get_scan', arguments: args }),
        links: engagementLink(data.engagementId, 'brief'),
      }
    },
  },
  {
    name: 'import_output',
    title: 'Import tool output',
    description:
      'Imports the output file of a scanner (nmap, nuclei, httpx, Burp and others) into the results of an engagement. Give its text in `content`, or Base64 in `contentBase64`. `wait: 20` answers with the counts.',
    endpoints: [createImport],
    input: inputOf([createImport], { omit: ['loggedAs'], add: CONTENT }),
    run: async ({ call, args: { content, contentBase64, ...args } }) => ({
      value: whole(
        (await call(createImport, args, contentOf(content, contentBase64))).data,
        ['stateReason', 'warnings'],
        undefined,
      ),
      links: engagementLink(args['engagementId'], 'brief'),
    }),
  },
  {
    name: 'append_operation',
    title: 'Append to the operation log',
    description:
      'Records traffic that you sent to a target from outside of Sortie: when, from where and to what. Traffic of scans and requests of Sortie is recorded already. Entries stay.',
    endpoints: [createOperation],
    input: inputOf([createOperation]),
    run: async ({ call, args }) => ({
      value: { data: (await call(createOperation, args)).data },
      links: engagementLink(args['engagementId'], 'brief'),
    }),
  },
]
