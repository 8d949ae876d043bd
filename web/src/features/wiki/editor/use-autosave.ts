import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { call, isRefused, messageOf, query, reportFailure } from '../../../api/api.ts'
import { registerUnsaved } from '../../../ui/dialogs/unsaved.ts'
import { usePageDraft } from '../drafts/page-drafts.ts'
import { piecesOf } from '../merge/passages.ts'
import type { WikiPage } from '../wiki-tree.tsx'
import type { OpenEditor } from './code-editor.ts'

const QUIET_MS = 2_000
const RETRY_MS = 5_000
/** Keeps the first and the last of the unanswered texts. */
const MAX_UNANSWERED = 4

export type SaveState = 'saved' | 'typing' | 'saving' | 'waiting' | 'conflict' | 'refused'

interface Base {
  revision: number
  body: string
}

/** Saves a text two seconds after the last key, and keeps it in the browser until the server has stored it. */
export const useAutosave = (organizationId: string, page: WikiPage, editor: RefObject<OpenEditor | undefined>) => {
  const cache = useQueryClient()
  const draft = usePageDraft(page.id)
  const [state, setState] = useState<SaveState>('saved')
  const [reason, setReason] = useState('')
  const [theirs, setTheirs] = useState<WikiPage>()
  const base = useRef<Base>({ revision: page.revision, body: page.body })
  const unanswered = useRef<string[]>([])
  const timer = useRef<number>(undefined)
  const isSaving = useRef(false)
  const running = useRef<Promise<void>>(undefined)
  /** Text after the last key; remains after the editor is closed. */
  const typed = useRef<string>(undefined)
  const element = useRef<HTMLDivElement>(null)
  const latestSave = useRef<() => Promise<void>>(async () => undefined)

  const textOf = useCallback(() => editor.current?.text() ?? typed.current ?? base.current.body, [editor])
  const hasChanges = useCallback(() => textOf() !== base.current.body, [textOf])

  const keep = useCallback(() => {
    const { revision, body } = base.current
    draft.write({
      values: { body: textOf(), unanswered: unanswered.current },
      base: { body },
      version: String(revision),
      savedAt: new Date().toISOString(),
    })
  }, [draft, textOf])

  const send = useCallback(async (): Promise<void> => {
    window.clearTimeout(timer.current)
    if (!editor.current || !hasChanges()) return
    isSaving.current = true
    setState('saving')
    const sent = textOf()
    let isSentAgain = false
    unanswered.current = withText(unanswered.current, sent)
    editor.current.beginSave()
    const later = (ms: number) => {
      timer.current = window.setTimeout(() => void latestSave.current(), ms)
    }
    try {
      const params = { pageId: page.id }
      const { data } = await call(
        organizationId,
        'updateWikiPage',
        { params, body: { body: sent, baseRevision: base.current.revision } },
        { retries: 0 },
      )
      unanswered.current = []
      cache.setQueryData(query(organizationId, 'getWikiPage', { params }).queryKey, { data })
      if (!editor.current) {
        // Input during the save stays in the draft. After a merge, the draft keeps the base that it was made from.
        if (textOf() === sent) draft.remove()
        else if (data.body === sent) {
          base.current = { revision: data.revision, body: data.body }
          keep()
        }
        return
      }
      base.current = { revision: data.revision, body: data.body }
      editor.current.endSave(sent, data.body)
      setTheirs(undefined)
      if (hasChanges()) {
        setState('typing')
        keep()
        later(QUIET_MS)
      } else {
        setState('saved')
        draft.remove()
      }
    } catch (error) {
      reportFailure(error)
      setReason(messageOf(error))
      if (isRefused(error, 'CONFLICT')) {
        const read = await call(organizationId, 'getWikiPage', { params: { pageId: page.id } }).catch(reportFailure)
        if (!read) {
          setState('waiting')
          later(RETRY_MS)
        } else if (read.data.trashedAt !== null || read.data.revision === base.current.revision) setState('refused')
        else if (unanswered.current.includes(read.data.body)) {
          // This revision is ours: the save succeeded, and only its response was lost.
          base.current = { revision: read.data.revision, body: read.data.body }
          unanswered.current = []
          isSentAgain = true
        } else {
          const pieces = piecesOf(base.current.body, textOf(), read.data.body)
          if (!pieces.every((piece) => typeof piece === 'string')) {
            setTheirs(read.data)
            setState('conflict')
          } else {
            // The server no longer has the base of this text; the browser does.
            base.current = { revision: read.data.revision, body: read.data.body }
            editor.current?.replaceAll(pieces.join(''))
            keep()
            isSentAgain = true
          }
        }
      } else if (isRefused(error, 'NOT_FOUND', 'FORBIDDEN', 'VALIDATION_ERROR', 'BAD_REQUEST')) setState('refused')
      else {
        setState('waiting')
        later(RETRY_MS)
      }
    } finally {
      isSaving.current = false
    }
    if (isSentAgain) await latestSave.current()
  }, [cache, draft, editor, hasChanges, keep, organizationId, page.id, textOf])

  const save = useCallback(async (): Promise<void> => {
    if (isSaving.current) return
    running.current = send()
    await running.current
  }, [send])

  /** Saves pending text, including input during a running save. */
  const finish = async (): Promise<void> => {
    await running.current
    await save()
  }

  const onTyped = useCallback(() => {
    typed.current = editor.current?.text()
    keep()
    setState((before) => (before === 'conflict' ? before : 'typing'))
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => void save(), QUIET_MS)
  }, [editor, keep, save])

  /** Resolves a conflict with one of the two texts, or with a third. */
  const resolve = (text: string) => {
    if (!theirs) return
    base.current = { revision: theirs.revision, body: theirs.body }
    editor.current?.replaceAll(text)
    setTheirs(undefined)
    if (text === theirs.body) {
      draft.remove()
      setState('saved')
    } else {
      keep()
      void save()
    }
  }

  useEffect(() => {
    if (state === 'saved') return undefined
    return registerUnsaved({
      hasChanges,
      isSaving: () => isSaving.current,
      discard: draft.remove,
      element: () => element.current,
    })
  }, [state, hasChanges, draft.remove])
  latestSave.current = save
  useEffect(() => {
    // Saves immediately when the network returns, without waiting for the next retry.
    const saveNow = () => void latestSave.current()
    window.addEventListener('online', saveNow)
    return () => {
      window.removeEventListener('online', saveNow)
      window.clearTimeout(timer.current)
    }
  }, [])

  return {
    state,
    reason,
    theirs,
    onTyped,
    save,
    finish,
    hasChanges,
    resolve,
    draft: draft.found,
    base,
    unanswered,
    element,
    mine: textOf,
  }
}

const withText = (texts: readonly string[], text: string): string[] => {
  const others = texts.filter((each) => each !== text)
  // Unknown which of them the server has stored: most likely the first.
  return [...others.slice(0, 1), ...others.slice(1).slice(2 - MAX_UNANSWERED), text]
}
