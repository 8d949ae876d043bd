import { useBlocker } from '@tanstack/react-router'
import { Suspense, useSyncExternalStore } from 'react'
import {
  hasRegistered,
  confirmDiscard,
  mustAskBeforeUnload,
  onUnsavedChange,
  pendingQuestion,
} from '../../ui/dialogs/unsaved.ts'
import { lazyPart } from '../../ui/load-part.ts'

const UnsavedQuestion = lazyPart(() => import('./UnsavedQuestion.tsx'), 'UnsavedQuestion')

/**
 * Mounted once, renders only its dialog: asks before the user leaves unsaved changes. Links, commands and Back are
 * blocked here; dialogs and Cancel call `confirmDiscard` themselves; on close and reload the browser asks.
 */
export const UnsavedGuard = () => {
  const hasForms = useSyncExternalStore(onUnsavedChange, hasRegistered)
  const question = useSyncExternalStore(onUnsavedChange, pendingQuestion)
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      const isSamePage =
        current.pathname === next.pathname && JSON.stringify(current.search) === JSON.stringify(next.search)
      return !isSamePage && !(await confirmDiscard())
    },
    enableBeforeUnload: mustAskBeforeUnload,
    disabled: !hasForms,
  })
  return <Suspense>{question && <UnsavedQuestion onAnswer={question.answer} />}</Suspense>
}
