import { Checkbox, Group, PasswordInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

export interface NewUserValues {
  isNew: boolean
  first_name: string
  last_name: string
  password: string
}

/** A login for somebody who has none yet. They choose their own password at the first login. */
export function NewUserFields<T extends NewUserValues>({ form }: { form: UseFormReturnType<T> }) {
  return (
    <>
      <Checkbox
        label="They have no login here yet: make one"
        description="Tell them the password. At the first login they choose their own."
        {...form.getInputProps('isNew', { type: 'checkbox' })}
      />
      {form.values.isNew && (
        <>
          <Group grow align="flex-start">
            <TextInput
              label="First name"
              required
              autoComplete="off"
              {...form.getInputProps('first_name')}
            />
            <TextInput
              label="Last name"
              required
              autoComplete="off"
              {...form.getInputProps('last_name')}
            />
          </Group>
          <PasswordInput
            label="First password"
            description="8 characters or more."
            required
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
        </>
      )}
    </>
  )
}
