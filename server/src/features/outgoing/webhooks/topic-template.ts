/** Makes the topics of messages from a template such as `lora/{organization}/{device}/{event}`. */

export const usualTemplate = 'lora/{organization}/{device}/{event}'

export const longestTemplate = 200
const mostLevels = 16

/** What a topic may say about an event. */
export interface TopicValues {
  organization: number
  /** The DevEUI; empty where the event is about no device. */
  device: string
  device_name: string
  /** The device type's id. */
  type: number
  network: string
  event: string
}

const placeholders = ['organization', 'device', 'device_name', 'type', 'network', 'event'] as const

/** Characters that mean something in topics (MQTT 5, section 4.7), `%`, and controls. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: topics may not have them
const special = /[/+#$%\u0000-\u001f\u007f-\u009f\ufeff\ufffe\uffff]/g

/** What is wrong with a template; undefined when nothing is. */
export function findTemplateFault(template: string): string | undefined {
  const levels = template.split('/')
  if (levels.includes('')) return 'The topic may not have empty levels.'
  if (levels.length > mostLevels) return `The topic may not have more than ${mostLevels} levels.`
  if (template.startsWith('$')) return 'The topic may not begin with $.'
  const rest = template.replace(/\{(\w+)\}/g, (all, name) =>
    (placeholders as readonly string[]).includes(name) ? '' : all,
  )
  if (/[{}]/.test(rest)) {
    const known = placeholders.map((name) => `{${name}}`).join(', ')
    return `The topic may name these in braces: ${known}.`
  }
  if (rest.replace(/[/$]/g, '').search(special) >= 0) {
    return 'The topic may not have wildcards (+, #), percent signs or control characters.'
  }
  return undefined
}

/** The topic of one event. */
export function fillTemplate(template: string, values: TopicValues): string {
  return template.replace(/\{(\w+)\}/g, (all, name: keyof TopicValues) =>
    name in values ? toLevel(values[name]) : all,
  )
}

/** Names of devices are anybody's choice: no name makes levels or is like another one. */
function toLevel(value: string | number): string {
  const text = String(value).toWellFormed()
  if (text === '') return '-'
  return text.replace(special, (character) => encodeURIComponent(character))
}
