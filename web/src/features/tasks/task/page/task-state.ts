/** Shared by the heading and the body of a task. */
export interface TaskState {
  mayChange: boolean
  /** Title and description are edited. */
  isEditing: boolean
  setEditing: (isEditing: boolean) => void
}
