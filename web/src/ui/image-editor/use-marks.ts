import { useReducer } from 'react'
import type { Mark } from './drawing/marks.ts'

interface State {
  marks: readonly Mark[]
  selectedId: number | undefined
  past: readonly (readonly Mark[])[]
  future: readonly (readonly Mark[])[]
  /** Of the last change: the next one with the same name is part of the same step. */
  step: string | undefined
}

type Action =
  | { type: 'change'; marks: readonly Mark[]; selectedId: number | undefined; step: string | undefined }
  | { type: 'select'; id: number | undefined }
  | { type: 'undo' }
  | { type: 'redo' }

const EMPTY: State = { marks: [], selectedId: undefined, past: [], future: [], step: undefined }

const reduce = (state: State, action: Action): State => {
  const { marks, selectedId, past, future } = state
  if (action.type === 'select') return { ...state, selectedId: action.id, step: undefined }
  if (action.type === 'change') {
    const isSameStep = action.step !== undefined && action.step === state.step
    return {
      marks: action.marks,
      selectedId: action.selectedId,
      past: isSameStep ? past : [...past, marks],
      future: [],
      step: action.step,
    }
  }
  const [from, to] = action.type === 'undo' ? [past, future] : [future, past]
  const next = from.at(-1)
  if (!next) return state
  const [rest, others] = [from.slice(0, -1), [...to, marks]]
  return {
    marks: next,
    selectedId: next.some(({ id }) => id === selectedId) ? selectedId : undefined,
    past: action.type === 'undo' ? rest : others,
    future: action.type === 'undo' ? others : rest,
    step: undefined,
  }
}

/** The marks of a picture, with undo and redo. */
export const useMarks = () => {
  const [{ marks, selectedId, past, future }, dispatch] = useReducer(reduce, EMPTY)
  return {
    marks,
    selected: marks.find(({ id }) => id === selectedId),
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    select: (id: number | undefined) => dispatch({ type: 'select', id }),
    /** Adds a mark and selects it; a second crop replaces the first. */
    add: (mark: Mark) => {
      const others = mark.kind === 'crop' ? marks.filter(({ kind }) => kind !== 'crop') : marks
      dispatch({ type: 'change', marks: [...others, mark], selectedId: mark.id, step: undefined })
    },
    /** @param step changes with the same name are undone together */
    update: (mark: Mark, step?: string) =>
      dispatch({
        type: 'change',
        marks: marks.map((other) => (other.id === mark.id ? mark : other)),
        selectedId: mark.id,
        step,
      }),
    remove: (id: number) =>
      dispatch({
        type: 'change',
        marks: marks.filter((mark) => mark.id !== id),
        selectedId: undefined,
        step: undefined,
      }),
    undo: () => dispatch({ type: 'undo' }),
    redo: () => dispatch({ type: 'redo' }),
  }
}

export type Marks = ReturnType<typeof useMarks>
