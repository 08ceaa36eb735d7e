import { z } from 'zod'
import { isStorable } from '../../../http/fields.ts'

const most = 64
const longestName = 64
const longestValue = 1024

/** The variables of a device, as they are sent and answered. */
export const deviceVariables = z
  .record(
    z
      .string()
      .min(1, 'The name of a variable is required.')
      .max(longestName, `The name of a variable may not be greater than ${longestName} characters.`)
      .refine(isStorable, 'The name of a variable contains a character that is not allowed.'),
    z
      .string({ error: 'The value of a variable must be a string.' })
      .max(
        longestValue,
        `The value of a variable may not be greater than ${longestValue} characters.`,
      )
      .refine(isStorable, 'The value of a variable contains a character that is not allowed.'),
    { error: 'The variables must be an object of strings.' },
  )
  .refine(
    (variables) => Object.keys(variables).length <= most,
    `The variables may not be more than ${most}.`,
  )
  .meta({ id: 'DeviceVariables', examples: [{ offset: '1.5' }] })

export const variablesBody = z.object({ variables: deviceVariables })
export const variablesAnswer = z.object({ data: variablesBody.meta({ id: 'VariablesOfDevice' }) })
