import { Text } from '@mantine/core'
import { t } from '../../../languages/text.ts'
import { TagEditor } from '../../../tags/tag-editor.tsx'
import { Card } from '../../../ui/card.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Link } from '../../../ui/link.tsx'
import { EditableText } from '../editable-text.tsx'
import { type DeviceRecord, useDeviceChange } from '../use-device.ts'

/** What people here say of the device: its name, groups, tags and notes. */
export function NotesCard({ device }: { device: DeviceRecord }) {
  const change = useDeviceChange(device.device_id)
  const rename = (name: string) =>
    change.mutateAsync({ body: { device_name: name }, shown: { device_name: name } })
  const note = (notes: string) =>
    change.mutateAsync({ body: { extra_notes: notes }, shown: { extra_notes: notes } })
  return (
    <Card title={t('Name and notes')}>
      <Facts
        rows={[
          [
            t('Name'),
            <EditableText
              key="name"
              label={t('name')}
              of={device.device_id}
              value={device.device_name}
              none={t('no name')}
              maxLength={255}
              onSave={rename}
            />,
          ],
          [t('Groups'), <GroupLinks key="groups" device={device} />],
          [
            t('Tags'),
            <TagEditor
              key="tags"
              of={device.device_id}
              tags={device.tags}
              needs="manage_devices"
              to="/devices"
              onSave={(tags) => change.mutateAsync({ body: { tags }, shown: { tags } })}
            />,
          ],
          [t('Registered by'), device.user.name],
        ]}
      />
      <EditableText
        label={t('notes')}
        of={device.device_id}
        value={device.extra_notes ?? ''}
        none={t('No notes yet: where it hangs, who has the key, what to bring.')}
        isLong
        maxLength={5000}
        onSave={note}
      />
    </Card>
  )
}

function GroupLinks({ device: { groups } }: { device: DeviceRecord }) {
  if (groups.length === 0)
    return (
      <Text span inherit c="dimmed">
        {t('in no group')}
      </Text>
    )
  return groups.map(({ id, name }, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <Link to="/devices" search={{ group: id }} inherit>
        {name}
      </Link>
    </span>
  ))
}
