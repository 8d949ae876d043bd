import type { ReactNode } from 'react'
import classes from './LevelLabel.module.css'

/** 4 is the urgent one, with its own icon. */
export type Level = 1 | 2 | 3 | 4

/** A level as a word, with bars that repeat it. */
export const LevelLabel = ({ level, children }: { level: Level; children: ReactNode }) => (
  <span className={classes.level}>
    <svg className={classes.bars} data-level={level} viewBox="0 0 14 14" width={14} height={14} aria-hidden>
      {level === 4 ? (
        <path
          d="M3.5 1h7A2.5 2.5 0 0 1 13 3.5v7A2.5 2.5 0 0 1 10.5 13h-7A2.5 2.5 0 0 1 1 10.5v-7A2.5 2.5 0 0 1 3.5 1zM6.2 3.5v4.3h1.6V3.5zM6.2 9v1.6h1.6V9z"
          fillRule="evenodd"
        />
      ) : (
        [1, 2, 3].map((bar) => (
          <rect
            key={bar}
            x={bar * 4 - 3}
            y={11 - bar * 3}
            width={3}
            height={bar * 3 + 1}
            rx={1}
            opacity={bar <= level ? 1 : 0.3}
          />
        ))
      )}
    </svg>
    {children}
  </span>
)
