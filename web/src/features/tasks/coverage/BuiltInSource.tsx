import { Markdown } from '../../../ui/text/Markdown.tsx'
import classes from './coverage.module.css'

/** Source and licence of the items of a built-in methodology. */
export const BuiltInSource = ({ description }: { description: string }) => (
  <div className={classes.source} role="note" aria-label="Source">
    <Markdown text={description} />
  </div>
)
