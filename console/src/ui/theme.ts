import { type CSSVariablesResolver, createTheme } from '@mantine/core'
import { t } from '../languages/text.ts'
import { accent, anyMode, colours, fonts, motion, radius, shadows, textSizes } from './tokens.ts'

/** What opens near the pointer, and what comes over the page. */
const quick = { transitionProps: { duration: motion.quick } }
const calm = { transitionProps: { duration: motion.calm } }
const closeButtonProps = { 'aria-label': t('Close') }
const title = { fontSize: textSizes.heading, fontWeight: 600 }

export const theme = createTheme({
  colors: { accent },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 7 },
  fontFamily: fonts.sans,
  fontFamilyMonospace: fonts.mono,
  fontSizes: textSizes,
  radius,
  shadows,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  headings: {
    fontFamily: fonts.sans,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: textSizes.title },
      h4: { fontSize: textSizes.lg },
      h5: { fontSize: textSizes.heading },
    },
  },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Tooltip: {
      defaultProps: {
        withArrow: true,
        openDelay: 300,
        events: { hover: true, focus: true, touch: true },
        ...quick,
      },
    },
    Menu: { defaultProps: quick },
    Popover: { defaultProps: quick },
    Modal: { defaultProps: { centered: true, closeButtonProps, styles: { title }, ...calm } },
    Drawer: {
      defaultProps: { position: 'right', closeButtonProps, styles: { title }, ...calm },
    },
    Notification: {
      defaultProps: {
        closeButtonProps,
        // Its own grey is too light next to a title.
        styles: { description: { color: 'var(--mantine-color-dimmed)' } },
      },
    },
    // A header element would be a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
  },
})

/** The tokens by their own names, and in place of Mantine's greys, reds and yellows. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: toVariables(anyMode),
  light: {
    ...toVariables(colours.light),
    ...ofMantine(colours.light),
    '--mantine-color-red-outline': colours.light['state-bad'],
    '--mantine-color-yellow-outline': colours.light['state-warn'],
    '--mantine-color-red-light-color': colours.light['bad-text-on-tint'],
    '--mantine-color-red-text': colours.light['state-bad'],
  },
  dark: { ...toVariables(colours.dark), ...ofMantine(colours.dark) },
})

function ofMantine(mode: (typeof colours)['dark']): Record<string, string> {
  return {
    '--mantine-color-dimmed': mode.dimmed,
    '--mantine-color-placeholder': mode.placeholder,
    '--mantine-color-error': mode['state-bad'],
    '--mantine-color-red-filled': mode['bad-filled'],
    '--mantine-color-red-filled-hover': mode['bad-filled-hover'],
    '--mantine-color-anchor': mode.link,
  }
}

function toVariables(tokens: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--${name}`, value]))
}
