import {
  Badge,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Progress,
  SegmentedControl,
  Stack,
  Switch,
  Tabs,
  Text,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { TimeChart } from '../../charts/time-chart.tsx'
import { FrameBytes } from '../../frames/frame-bytes.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { DurationInput } from '../../ui/duration-input.tsx'
import { Eui } from '../../ui/eui.tsx'
import { Facts } from '../../ui/facts.tsx'
import { List } from '../../ui/list/list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { EmptyState, ErrorNotice, tellSuccess } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { State } from '../../ui/state.tsx'
import { TabList, tabClasses } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { anyMode, colours, textSizes } from '../../ui/tokens.ts'
import classes from './gallery.module.css'

/** Every component once, for whoever builds pages. Nothing of it is stored. */
export function GalleryPage() {
  return (
    <Page title="Gallery" description="The parts that all pages are made of.">
      <Colours />
      <TextSizes />
      <Buttons />
      <States />
      <Fields />
      <Data />
      <Charts />
      <Card title="Notices">
        <Notice kind="warn" title="Check the callback">
          Something to know before going on.
        </Notice>
        <ErrorNotice error={new ApiError(422, 'The DevEUI must be 16 characters.')} retry={done} />
      </Card>
      <EmptyState title="No devices yet" actions={<Button>Register a device</Button>}>
        What the list is for, and the first action.
      </EmptyState>
    </Page>
  )
}

function done(): void {
  tellSuccess('Done.')
}

function Colours() {
  return (
    <Card title="Colours" note="Colour says the state of something, and nothing else.">
      <ul className={classes.swatches}>
        {[...Object.keys(colours.light), ...Object.keys(anyMode)].map((name) => (
          <li key={name}>
            <span className={classes.swatch} style={{ background: `var(--${name})` }} />
            {name}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function TextSizes() {
  return (
    <Card title="Text">
      {Object.entries(textSizes).map(([name, size]) => (
        <Text key={name} fz={size}>
          {name}: 0123456789 Cold room 21.7 °C
        </Text>
      ))}
      <Text ff="monospace" size="sm">
        monospace: 00AA000000000001
      </Text>
    </Card>
  )
}

function Buttons() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card title="Buttons" note="One filled button for the main action of a page.">
      <Group>
        <Button onClick={done}>Main action</Button>
        <Button variant="default" onClick={done}>
          Other action
        </Button>
        <Button color="red" onClick={() => setOpen(true)}>
          Delete
        </Button>
        <Button variant="default" loading>
          Busy
        </Button>
        <ActionButton blockedBy="It says why it cannot be pressed.">Blocked</ActionButton>
      </Group>
      <Confirm
        opened={isOpen}
        title="Delete 3 devices?"
        action="Delete 3 devices"
        onConfirm={done}
        onClose={() => setOpen(false)}
      >
        Their uplinks are deleted too. This cannot be undone.
      </Confirm>
    </Card>
  )
}

function States() {
  return (
    <Card title="States" actions={<Badge variant="default">12</Badge>}>
      <Group>
        <State kind="good">OK</State>
        <State kind="warn">Silent</State>
        <State kind="bad">Refused</State>
        <State kind="waiting">Pending</State>
        <State kind="off">Inactive</State>
      </Group>
      <Progress value={60} aria-label="Progress" />
    </Card>
  )
}

function Fields() {
  const [search, setSearch] = useState('')
  const [minutes, setMinutes] = useState<number | ''>(4320)
  return (
    <Card title="Fields">
      <SearchField label="Search" value={search} onSearch={setSearch} />
      <TextInput label="Name" description="What the field is for" required />
      <TextInput label="DevEUI" defaultValue="00AA" error="The DevEUI must be 16 characters." />
      <NativeSelect label="Network" data={['ChirpStack', 'The Things Stack']} />
      <DurationInput label="For at least" value={minutes} onChange={setMinutes} />
      <SegmentedControl data={['1 h', '24 h', '7 d']} aria-label="Time range" />
      <Checkbox label="A choice" defaultChecked />
      <Switch label="On or off" defaultChecked />
      <CopyField label="Callback" value="https://example.com/callbacks/1" />
    </Card>
  )
}

const rows = [
  { name: 'Cold room', reading: '4.1 °C · 61 %', count: 1204 },
  { name: 'Loading dock, gate 4', reading: 'Open for 12 min', count: 87 },
]

function Data() {
  return (
    <Card title="Tabs, facts and tables">
      <Tabs classNames={tabClasses} defaultValue="facts">
        <TabList aria-label="Data">
          <Tabs.Tab value="facts">Facts</Tabs.Tab>
          <Tabs.Tab value="table">Table</Tabs.Tab>
        </TabList>
        <Tabs.Panel value="facts" pt="md">
          <Facts
            rows={[
              ['Name', 'Cold room'],
              ['DevEUI', <Eui key="eui" value="00AA000000000001" label="DevEUI" />],
              ['Last seen', <Time key="time" value={new Date().toISOString()} />],
              ['Notes', null],
            ]}
          />
        </Tabs.Panel>
        <Tabs.Panel value="table" pt="md">
          <List
            caption="Devices"
            columns={[
              { title: 'Name', cell: ({ name }) => name, phone: 'title' },
              { title: 'Reading', cell: ({ reading }) => reading, phone: 'side' },
              { title: 'Uplinks', cell: ({ count }) => count, isNumber: true },
            ]}
            rows={rows}
            keyOf={({ name }) => name}
          />
        </Tabs.Panel>
      </Tabs>
    </Card>
  )
}

const hour = 3_600_000
const hours = Array.from({ length: 24 }, (_, index) => index)

function Charts() {
  const [start] = useState(() => Math.floor(Date.now() / hour) * hour - 24 * hour)
  return (
    <Stack>
      <Card>
        <TimeChart
          title="Temperature"
          unit="°C"
          times={hours.map((index) => start + index * hour)}
          series={[1, 2, 3, 4].map((number) => ({
            name: `Room ${number}`,
            values: hours.map((index) => 18 + number + 2 * Math.sin((index + number) / 4)),
          }))}
        />
      </Card>
      <Card title="A frame">
        <FrameBytes
          bytes="0102030405"
          caption="Frame, byte by byte"
          parts={['Header', 'Temperature', 'Humidity', 'Battery', 'State'].map((label, start) => ({
            start,
            length: 1,
            bits: null,
            label,
            key: null,
            raw: `0${start + 1}`,
            value: start + 1,
            unit: null,
            meaning: null,
          }))}
        />
      </Card>
    </Stack>
  )
}
