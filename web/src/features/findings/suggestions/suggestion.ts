import type { Output } from '@sortie/client/calls.ts'

export type Suggestion = Output<'listFindingSuggestions'>['data'][number]
