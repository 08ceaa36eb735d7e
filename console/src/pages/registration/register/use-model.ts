import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import type { Schemas } from '../../../api/generated.ts'
import type { RadioProfile } from './models.ts'
import { type DeviceForm, type FormValues, withRadio } from './registration-form.ts'

/** Fills in the type of a chosen model and how its devices speak, as far as the network takes it. */
export function useModel(
  form: DeviceForm,
  network: Schemas['FleetNetwork'],
  inputs: UseFormReturnType<FormValues>,
) {
  const [filledType, setFilledType] = useState<string>()
  const takeModel = (type: number, radio: RadioProfile | null) => {
    setFilledType(radio ? String(type) : undefined)
    const chosen = { ...inputs.getValues(), deviceType: String(type) }
    inputs.setValues(radio ? withRadio(form, network.capabilities, chosen, radio) : chosen)
  }
  // Afterwards the form says how the device speaks, also where somebody has changed it.
  const saysRadio = filledType !== undefined && filledType === inputs.values.deviceType
  return { takeModel, saysRadio }
}
