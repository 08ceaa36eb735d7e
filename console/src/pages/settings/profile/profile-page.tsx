import { Group, SegmentedControl, TextInput, useMantineColorScheme } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useAction } from '../../../api/hooks.ts'
import { useSession } from '../../../session/session.ts'
import { Card } from '../../../ui/card.tsx'
import { Form } from '../../../ui/form.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { OwnFormatFields } from './own-formats.tsx'
import { TimeZoneField } from './time-zone-field.tsx'

export function ProfilePage() {
  const { session, organization } = useSession()
  return (
    <SettingsPage title="Profile" description={session.user.email}>
      <Card title="Name" note="Other members see it, in every organization.">
        <NameForm />
      </Card>
      <Card title="Time zone" note="All times of the console are shown in it.">
        <TimeZoneField />
      </Card>
      <Card
        title="Units and formats"
        note="Of all numbers, readings and times in the console, and in mails to you."
      >
        <OwnFormatFields key={organization.id} />
      </Card>
      <Card title="Colours" note="Kept in this browser.">
        <ThemeField />
      </Card>
    </SettingsPage>
  )
}

function NameForm() {
  const { first_name, last_name } = useSession().session.user
  const form = useForm({ initialValues: { first_name, last_name } })
  const action = useAction('PATCH /user', {
    invalidates: ['GET /auth/session', 'GET /organization/users'],
  })
  const send = async () => {
    const { last_name: last, ...body } = form.getValues()
    // A user may have only one name; an empty one is left as it is.
    await action.mutateAsync({ body: { ...body, ...(last ? { last_name: last } : {}) } })
    tellSuccess('Your name is changed.')
  }
  return (
    <Form action="Save name" onSubmit={send}>
      {(errorOf) => (
        <>
          <TextInput
            label="First name"
            autoComplete="given-name"
            required
            {...form.getInputProps('first_name')}
            error={errorOf('first_name')}
          />
          <TextInput
            label="Last name"
            autoComplete="family-name"
            {...form.getInputProps('last_name')}
            error={errorOf('last_name')}
          />
        </>
      )}
    </Form>
  )
}

function ThemeField() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Group>
      <SegmentedControl
        aria-label="Colours"
        value={colorScheme}
        onChange={(scheme) => setColorScheme(scheme as 'auto' | 'light' | 'dark')}
        data={[
          { value: 'auto', label: 'System' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
    </Group>
  )
}
