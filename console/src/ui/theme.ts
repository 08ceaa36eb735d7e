import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const sans =
  "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif"
const mono =
  "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"

/** The one accent: a blue that no state uses. */
const accent: MantineColorsTuple = [
  '#eef2ff',
  '#dfe5ff',
  '#bcc8fb',
  '#97a9f6',
  '#778df1',
  '#6079ee',
  '#4c66e4',
  '#3b55d0',
  '#3149b8',
  '#263b9c',
]

export const theme = createTheme({
  colors: { accent },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 7 },
  fontFamily: sans,
  fontFamilyMonospace: mono,
  // Dense: what Mantine calls medium is the size of running text.
  fontSizes: {
    xs: '0.75rem',
    sm: '0.8125rem',
    md: '0.875rem',
    lg: '1rem',
    xl: '1.125rem',
  },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  headings: { fontFamily: sans, fontWeight: '600', sizes: { h1: { fontSize: '1.375rem' } } },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Tooltip: {
      defaultProps: {
        withArrow: true,
        openDelay: 300,
        events: { hover: true, focus: true, touch: true },
      },
    },
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: {
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        // Its own grey is too light next to a title.
        styles: { description: { color: 'var(--mantine-color-dimmed)' } },
      },
    },
    // A header element would be a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    Drawer: { defaultProps: { position: 'right', closeButtonProps: { 'aria-label': 'Close' } } },
  },
})

/** Mantine's grey texts, its red and its yellow are too light on white (WCAG 1.4.3 asks for 4.5 to 1). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#52595f',
    '--mantine-color-placeholder': '#676e75',
    '--mantine-color-error': '#c02626',
    '--mantine-color-red-outline': '#c02626',
    '--mantine-color-yellow-outline': '#8f5a00',
    '--mantine-color-red-light-color': '#b02020',
    '--mantine-color-red-text': '#c02626',
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
    '--mantine-color-anchor': 'var(--mantine-color-accent-8)',
    '--state-good': '#1d7a3d',
    '--state-warn': '#8f5a00',
    '--state-bad': '#c02626',
    '--state-off': '#52595f',
  },
  dark: {
    '--mantine-color-dimmed': '#a3a9b0',
    '--mantine-color-placeholder': '#9aa0a7',
    '--mantine-color-error': '#ff8f8f',
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
    '--mantine-color-anchor': 'var(--mantine-color-accent-3)',
    '--state-good': '#69db7c',
    '--state-warn': '#ffc94d',
    '--state-bad': '#ff8f8f',
    '--state-off': '#a3a9b0',
  },
})
