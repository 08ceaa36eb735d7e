export { default as base } from './base.json'

export const areas = import.meta.glob(['./*.json', '!./base.json'], { import: 'default' })
