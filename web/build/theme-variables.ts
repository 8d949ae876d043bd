import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import type { Plugin } from 'vite'
import { theme } from '../src/ui/theme.ts'

const NAME = 'virtual:theme-variables.css'

/**
 * Emits the theme's CSS variables as a style sheet at build time. At run time Mantine would insert a `<style>` element,
 * which the Content-Security-Policy (`style-src 'self'`) forbids.
 */
export const themeVariables = (): Plugin => ({
  name: 'theme-variables',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load: (id) => {
    if (id !== `\0${NAME}`) return undefined
    return convertCssVariables(defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme)), ':root')
  },
})
