import type { Schemas } from '../api/generated.ts'
import { readingText, useFormats } from './formats.ts'
import classes from './reading.module.css'

/** What a sensor says, in a row of a list: "21.7 °C · 49 %", "Open". */
export function Reading({ value }: { value: Schemas['Reading'] | null }) {
  useFormats()
  if (!value) return <span className={classes.none}>–</span>
  return <span className={classes.reading}>{readingText(value)}</span>
}
