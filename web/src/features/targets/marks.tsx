import { StatusLabel, type Tone } from '../../ui/feedback/StatusLabel.tsx'
import { CRITICALITY_LABELS, type Criticality } from './labels.ts'
import classes from './targets.module.css'

const TONES: Record<Criticality, Tone> = { none: 'quiet', low: 'quiet', medium: 'busy', high: 'warn', critical: 'bad' }

/** Empty for a target without a rating. */
export const CriticalityLabel = ({ criticality }: { criticality: Criticality }) =>
  criticality === 'none' ? null : <StatusLabel tone={TONES[criticality]}>{CRITICALITY_LABELS[criticality]}</StatusLabel>

/** Plain elements: a grid shows hundreds of them. */
export const Tags = ({ tags }: { tags: readonly string[] }) => (
  <span className={classes.tags}>
    {tags.map((tag) => (
      <span key={tag} className={classes.tag}>
        {tag}
      </span>
    ))}
  </span>
)
