import type { ReportSource } from '../read-source.ts'
import { type BuildOptions, compose as composeNow, type Composed } from './compose-source.ts'

/** Runs in its own thread. */
export const compose = ({ source, options }: { source: ReportSource; options: BuildOptions }): Composed =>
  composeNow(source, options)
