import { Fragment } from 'react'
import type { Schemas } from '../api/generated.ts'
import { readingParts, useFormats } from './formats.ts'
import classes from './reading.module.css'

/** What a sensor says, in a row of a list: "21.7 °C · 49 %", "Open". A value keeps its unit in its line. */
export function Reading({ value }: { value: Schemas['Reading'] | null }) {
  useFormats()
  if (!value) return <span className={classes.none}>–</span>
  return (
    <span className={classes.reading}>
      {readingParts(value).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two parts may say the same
        <Fragment key={index}>
          {index > 0 && ' · '}
          <span>{part}</span>
        </Fragment>
      ))}
    </span>
  )
}
