import { EFFECT_LABELS } from '../../../domain/verdicts.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { capitalised } from '../../../ui/text/capitalised.ts'
import classes from './preview.module.css'
import { type Choice as Chosen, type ContextLine, isConflict, type LetterRule, optionsOf } from './preview.ts'

/** A heading or a comment. */
export const ContextRow = ({ line, text }: ContextLine) => (
  <li className={classes.context}>
    <span className={classes.number}>{line}</span>
    <span className={classes.source}>{text}</span>
  </li>
)

interface RuleRowProps {
  rule: LetterRule
  choice: Chosen
  /** The user has to choose. */
  isOpen: boolean
  /** Another line gives the pattern a different effect. */
  isClash: boolean
  isFirstOfLine: boolean
  onChoose: (choice: Chosen) => void
}

/** The source line, its rule and its effect. */
export const RuleRow = ({ rule, choice, isOpen, isClash, isFirstOfLine, onChoose }: RuleRowProps) => {
  const isMuted = choice === 'skip'
  const needsNothing = rule.pattern === null && isMuted && rule.effect !== 'deny' && rule.effect !== 'caution'
  return (
    <li className={classes.row} data-open={isOpen || undefined} data-muted={isMuted || undefined} data-effect={choice}>
      <span className={classes.number}>{isFirstOfLine ? rule.line : ''}</span>
      <span className={classes.source}>{isFirstOfLine ? rule.source : ''}</span>
      <span className={classes.rule}>
        {rule.pattern === null ? (
          <span className={classes.none}>No rule</span>
        ) : (
          <span className={classes.pattern}>{rule.pattern}</span>
        )}
        {rule.pattern !== null && rule.note && <span className={classes.detail}>{rule.note}</span>}
        {isOpen && <span className={classes.why}>{whyOpen(rule, isClash)}</span>}
        {!isOpen && rule.existing?.effect === choice && <span className={classes.detail}>Already exists</span>}
      </span>
      <span className={classes.choice}>
        {!needsNothing && (
          <Choice
            size="xs"
            aria-label={rule.pattern === null ? `Line ${rule.line}` : `Effect of ${rule.pattern} (line ${rule.line})`}
            data={optionsOf(rule)}
            value={choice ?? ''}
            onChange={(chosen) => onChoose((chosen || undefined) as Chosen)}
          />
        )}
      </span>
    </li>
  )
}

const whyOpen = (rule: LetterRule, isClash: boolean): string => {
  if (rule.pattern === null)
    return `${sentence(rule.reason ?? 'This line contains no pattern')} Nothing is added for it.`
  if (isClash) return 'Another line gives this pattern another effect. Choose the same for both, or leave one out.'
  if (rule.existing && isConflict(rule)) {
    const proposed = rule.effect ? `“${EFFECT_LABELS[rule.effect]}”` : 'no clear effect'
    return `Existing rule: “${EFFECT_LABELS[rule.existing.effect]}”. The letter: ${proposed}.`
  }
  return sentence(rule.reason ?? 'The effect is not clear')
}

const sentence = (text: string): string => `${capitalised(text)}${text.endsWith('.') ? '' : '.'}`
