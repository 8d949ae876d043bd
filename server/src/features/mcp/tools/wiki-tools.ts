import { createWikiPage, getWikiPage, listWikiPages, updateWikiPage } from '@sortie/contract/wiki/wiki.ts'
import { engagementLink, pageLink } from '../resources/addresses.ts'
import { inputOf } from './input.ts'
import { listAnswer } from './pages.ts'
import type { Tool } from './tool.ts'
import { TEXT_FROM, whole } from './untrusted.ts'

/** Pages quote what tools and targets wrote. */
export const OF_PAGE = ['body']

export const WIKI_TOOLS: readonly Tool[] = [
  {
    name: 'list_pages',
    title: 'List pages',
    description: 'Lists the notes of an engagement, without their text. `organization: true` lists those of everyone.',
    endpoints: [listWikiPages],
    input: inputOf([listWikiPages], { omit: ['trashed', 'tree'] }),
    run: async ({ call, args }) => {
      const reply = await call(listWikiPages, args)
      return {
        value: listAnswer('list_pages', args, reply),
        links: [...reply.data.map(pageLink), ...engagementLink(args['engagementId'], 'brief')],
      }
    },
  },
  {
    name: 'get_page',
    title: 'Get a page',
    description: 'Reads a page in Markdown, with the `revision` that write_page needs.',
    endpoints: [getWikiPage],
    input: inputOf([getWikiPage], { add: TEXT_FROM }),
    run: async ({ call, args: { textFrom, ...args } }) => {
      const { data } = await call(getWikiPage, args)
      return {
        value: whole(data, OF_PAGE, textFrom, { tool: 'get_page', arguments: args }),
        links: [pageLink(data)],
      }
    },
  },
  {
    name: 'write_page',
    title: 'Write a page',
    description:
      'Creates a page, or with pageId changes one: then `body` is the whole new text and `baseRevision` the revision that get_page gave. Changes of others in between are merged, or are a conflict. Every revision is kept.',
    endpoints: [createWikiPage, updateWikiPage],
    input: inputOf([updateWikiPage, createWikiPage], { omit: ['isTemplate', 'ifUpdatedAt'], required: [] }),
    run: async ({ call, args }) => {
      const { data, meta } = await call(args['pageId'] === undefined ? createWikiPage : updateWikiPage, args)
      return {
        value: { ...whole({ ...data, body: null }, OF_PAGE, undefined), ...(meta && { merged: meta.merged }) },
        links: [pageLink(data)],
      }
    },
  },
]
