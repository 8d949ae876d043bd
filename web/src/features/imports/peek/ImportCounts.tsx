import classes from '../imports.module.css'
import type { Import } from '../states.ts'

const NUMBER = new Intl.NumberFormat('en')

/** Effect of an import, or the expected effect of a preview. Counts that are usually zero appear only if nonzero. */
export const ImportCounts = ({ item: { counts } }: { item: Import }) => {
  const { results, targets } = counts
  const always = [
    ['New', results.created],
    ['Changed', results.changed],
    ['Gone', results.gone],
    ['Unchanged', results.unchanged],
    ['New targets', targets.created],
  ] as const
  const sometimes = [
    ['Reappeared', results.reappeared],
    ['Older than known', results.older],
    ['Known targets', targets.known],
    ['Rejected', counts.rejected],
    ['Out of scope', counts.outOfScope],
  ] as const
  return (
    <dl className={classes.counts}>
      {[...always, ...sometimes.filter(([, count]) => count > 0)].map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{NUMBER.format(count)}</dd>
        </div>
      ))}
    </dl>
  )
}
