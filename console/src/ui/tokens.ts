import type { MantineColorsTuple } from '@mantine/core'

/**
 * The design tokens: every colour, size, corner, shadow and duration of the console. `theme.ts` gives
 * them to Mantine and writes the colours as CSS variables of the same names (`--state-good`).
 * console/test/structure.test.ts keeps colours and sizes of text out of all other files.
 */

/** The one accent: a blue that no state uses. */
export const accent: MantineColorsTuple = [
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

const paper = '#ffffff'
const ink = '#20252b'

const light = {
  // Text has at least 4.5 to 1 on its ground, lines of charts 3 to 1 (WCAG 1.4.3, 1.4.11).
  dimmed: '#52595f',
  placeholder: '#676e75',
  link: accent[8],
  // A state has a colour, an icon and a word. Nothing else has these colours.
  'state-good': '#1d7a3d',
  'state-warn': '#8f5a00',
  'state-bad': '#c02626',
  'state-off': '#52595f',
  'bad-text-on-tint': '#b02020',
  'bad-filled': '#c92a2a',
  'bad-filled-hover': '#b02525',
  'chart-1': '#3149b8',
  'chart-2': '#b3560a',
  'chart-3': '#0f7a6c',
  'chart-4': '#8a3ea8',
  'chart-5': '#a61e6b',
  'chart-6': '#52700f',
  'chart-7': '#1a76ab',
  'chart-8': '#6b5343',
  'chart-text': '#52595f',
  'chart-grid': '#e3e6e9',
  'chart-limit': '#c02626',
  'chart-select': '#3149b824',
  /** At the edge of what can be scrolled. */
  edge: '#0000002e',
  /** The usual state of a band, from which the others stand out by lightness too. */
  'band-calm': '#b4bfe8',
  'map-sea': '#e8eef4',
  'map-land': '#fafaf7',
  'map-border': '#b4bcc4',
  'map-park': '#e3efdd',
  'map-building': '#e6e5e0',
  'map-road': '#ffffff',
  'map-road-edge': '#cfd4d8',
  'map-street-text': '#52595f',
  'map-text': ink,
  'map-halo': paper,
  'map-cluster': accent[8],
}

const dark: Record<keyof typeof light, string> = {
  dimmed: '#a3a9b0',
  placeholder: '#9aa0a7',
  link: accent[3],
  'state-good': '#69db7c',
  'state-warn': '#ffc94d',
  'state-bad': '#ff8f8f',
  'state-off': '#a3a9b0',
  'bad-text-on-tint': '#ff8f8f',
  'bad-filled': '#c92a2a',
  'bad-filled-hover': '#b02525',
  'chart-1': '#97a9f6',
  'chart-2': '#ffb066',
  'chart-3': '#5cd6c0',
  'chart-4': '#d9a0f0',
  'chart-5': '#ff9ec7',
  'chart-6': '#b8d46a',
  'chart-7': '#7fd0ff',
  'chart-8': '#d3b8a0',
  'chart-text': '#a3a9b0',
  'chart-grid': '#3b4046',
  'chart-limit': '#ff8f8f',
  'chart-select': '#97a9f63d',
  edge: '#00000099',
  'band-calm': '#3d4a80',
  'map-sea': '#14181d',
  'map-land': '#23282e',
  'map-border': '#545c66',
  'map-park': '#22302a',
  'map-building': '#2e343b',
  'map-road': '#48515b',
  'map-road-edge': '#191e23',
  'map-street-text': '#a3a9b0',
  'map-text': '#e6e9ec',
  'map-halo': '#14181d',
  'map-cluster': accent[6],
}

export const colours = { light, dark }

/** Colours that both modes share. */
export const anyMode = {
  paper,
  ink,
  /** Lines on paper. */
  'paper-line': '#c9cdd2',
  'paper-dimmed': light.dimmed,
  /** The ground of texts over a map of tiles. */
  'paper-veil': '#ffffffd9',
  // The parts of a frame, one after the other.
  'tone-0': accent[6],
  'tone-1': '#0b8f83',
  'tone-2': '#a35bd6',
  'tone-3': '#b0791a',
  'tone-4': '#cf4f83',
  'tone-5': '#3b8a3f',
}

export const fonts = {
  sans: "'Geist Variable', system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  mono: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
}

/** Dense: what Mantine calls medium is the size of running text. CSS: `--mantine-font-size-sm`. */
export const textSizes = {
  /** Labels of charts and maps. */
  xxs: '0.6875rem',
  xs: '0.75rem',
  sm: '0.8125rem',
  md: '0.875rem',
  lg: '1rem',
  xl: '1.125rem',
  /** The heading of a card. */
  heading: '0.9375rem',
  /** The heading of a page, and numbers of tiles. */
  title: '1.375rem',
  number: '1.5rem',
  /** The reading of a device. */
  hero: '2rem',
}

/** The steps of margins, paddings and gaps, in rem. */
export const space = [0, 0.0625, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 1, 1.25, 1.5, 2, 3, 4]

/** CSS: `--mantine-radius-sm`. */
export const radius = { xs: '0.1875rem', sm: '0.375rem', md: '0.5rem' }

/** Only what floats over the page has a shadow. CSS: `--mantine-shadow-md`. */
const shadow = '0 0.25rem 1rem #0000001f, 0 0.0625rem 0.1875rem #0000001a'
export const shadows = { md: shadow, lg: shadow }

/** Milliseconds. All of it is 0 for who prefers reduced motion. */
export const motion = { quick: 120, calm: 180 }
