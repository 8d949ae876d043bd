import { createTheme, type MantineColorsTuple } from '@mantine/core'

/** The only accent colour. */
const accent: MantineColorsTuple = [
  '#f1f1fe',
  '#e2e3fc',
  '#cccef8',
  '#b0b3f3',
  '#9396ee',
  '#7476e4',
  '#5b5bd6',
  '#4f4ec2',
  '#4443a8',
  '#2f2d72',
]
const gray: MantineColorsTuple = [
  '#fafafb',
  '#f4f4f6',
  '#ebebef',
  '#e0e0e6',
  '#cdced6',
  '#8f909c',
  '#62636e',
  '#494a53',
  '#303138',
  '#1b1c20',
]
const dark: MantineColorsTuple = [
  '#e8e8ec',
  '#bcbdc6',
  '#9c9da8',
  '#74757f',
  '#3d3e46',
  '#2e2f36',
  '#222329',
  '#16171b',
  '#111215',
  '#0b0c0e',
]
/** White is legible on 6 and 7; 6 on white, 9 on 1, and 4 on the dark theme (WCAG 2.2, AA). */
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#f25f5f',
  '#cd2b31',
  '#b4252b',
  '#9b2026',
  '#8f1d22',
]
/** 9 is legible on 1; Mantine's own is not. */
const yellow: MantineColorsTuple = [
  '#fff9db',
  '#fff3bf',
  '#ffec99',
  '#ffe066',
  '#ffd43b',
  '#fcc419',
  '#fab005',
  '#f59f00',
  '#a85f00',
  '#7a4600',
]

const FONTS =
  '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif'
const MONOSPACE_FONTS =
  '"JetBrains Mono Variable", ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace'

/** Dense: controls are small by default, and no animation exceeds 100 ms. */
export const theme = createTheme({
  colors: { accent, gray, dark, red, yellow },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 6 },
  autoContrast: true,
  black: '#1b1c20',
  fontFamily: FONTS,
  fontFamilyMonospace: MONOSPACE_FONTS,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.5' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  defaultRadius: 'sm',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'xs', fw: 500 } },
    Badge: { defaultProps: { tt: 'none', fw: 500, radius: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    /** The description is read after the field. */
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: {
      defaultProps: { size: 'sm', visibilityToggleButtonProps: { 'aria-label': 'Show what is typed', tabIndex: 0 } },
    },
    Textarea: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', allowDeselect: false, withCheckIcon: false } },
    Checkbox: { defaultProps: { size: 'xs', radius: 'xs' } },
    Radio: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'sm' } },
    Menu: { defaultProps: { shadow: 'md' } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 80 } } },
  },
})
