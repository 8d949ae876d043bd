import { Markdown } from '../../../ui/Markdown.tsx'
import classes from './coverage.module.css'

/** Where the items of a methodology that comes with the program are from, and under which licence. */
export const BuiltInSource = ({ description }: { description: string }) => (
  <div className={classes.source} role="note" aria-label="Source">
    <Markdown text={description} />
  </div>
)
