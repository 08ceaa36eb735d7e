import { ActionIcon, Button, Group, Menu, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconLayoutNavbarCollapse } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { queryClient, keyOf as queryKeyOf, useAction } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { DraftNotice } from '../../ui/draft.tsx'
import { Link } from '../../ui/link.tsx'
import { ErrorNotice, tellSuccess } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { type Dashboard, titleOf, type WidgetType, widgetWords } from './dashboard.ts'
import { DashboardDialog } from './dashboard-dialog.tsx'
import { DashboardGrid } from './dashboard-grid.tsx'
import { RangeChoice, useLook } from './dashboard-page.tsx'
import { type Box, bottomOf, closeGaps, put } from './layout.ts'
import { useDrag } from './use-drag.ts'
import { type EditedWidget, type Edits, newKey, useEdits } from './use-edits.ts'
import { VariableChoice } from './variable-choice.tsx'
import { WidgetDialog } from './widget-dialog.tsx'
import { WidgetCorner, WidgetTools } from './widget-tools.tsx'
import { WidgetView } from './widget-view.tsx'

const route = getRouteApi('/shell/dashboards/$dashboardId')

/** Changes a dashboard by mouse, touch and keyboard. Nothing is saved before "Save". */
export function Editor({ dashboard }: { dashboard: Dashboard }) {
  const edits = useEdits(dashboard)
  const { present, draft } = edits
  const navigate = route.useNavigate()
  const [isNaming, setNaming] = useState(false)
  const leave = () => void navigate({ search: (all) => ({ ...all, edit: undefined }) })
  const save = useSave(dashboard, edits, leave)
  return (
    <Page
      title={present.name}
      above={<Link to="/dashboards">{t('Dashboards')}</Link>}
      description={present.description ?? t('You are changing this dashboard.')}
      actions={
        <>
          <Button variant="default" onClick={() => setNaming(true)}>
            {t('Settings')}
          </Button>
          <Button
            variant="default"
            onClick={() => {
              draft.keep(draft.blank)
              leave()
            }}
          >
            {t('Cancel')}
          </Button>
          <Button loading={save.isPending} onClick={save.send}>
            {t('Save')}
          </Button>
        </>
      }
    >
      <DraftNotice draft={draft} onStartOver={edits.startOver} />
      {save.error && <ErrorNotice error={save.error} />}
      <EditedGrid edits={edits} />
      {isNaming && <DashboardDialog edits={edits} onClose={() => setNaming(false)} />}
    </Page>
  )
}

function useSave({ id }: Dashboard, { present, draft }: Edits, leave: () => void) {
  const change = useAction('PATCH /dashboards/{dashboard_id}', {
    invalidates: ['GET /dashboards'],
    onSuccess: (answer) => {
      draft.forget()
      queryClient.setQueryData(
        queryKeyOf('GET /dashboards/{dashboard_id}', { path: { dashboard_id: id } }),
        { data: answer.data },
      )
      tellSuccess(t('Dashboard saved.'))
      leave()
    },
    // Whoever begins again begins with what is there now.
    onError: (error) => {
      if (error instanceof ApiError && error.status === 409) {
        void queryClient.invalidateQueries({ queryKey: ['GET /dashboards/{dashboard_id}'] })
      }
    },
  })
  const send = () => {
    const { revision, widgets, ...rest } = present
    change.mutate({
      path: { dashboard_id: id },
      body: {
        ...rest,
        ...(revision !== null && { revision }),
        widgets: widgets.map(({ key: _, ...widget }) => widget),
      },
    })
  }
  return { send, error: change.error, isPending: change.isPending }
}

/** The widgets while they are moved, and what is done with them. */
function useGrid({ present, change }: Edits) {
  const grid = useRef<HTMLDivElement>(null)
  const [preview, setPreview] = useState<EditedWidget[]>()
  const [said, setSaid] = useState('')
  const [open, setOpen] = useState<EditedWidget>()
  const setWidgets = (widgets: EditedWidget[]) => change({ ...present, widgets })
  const drag = useDrag<EditedWidget>({
    grid,
    preview: (item, to) => setPreview(put(present.widgets, item, to)),
    drop: () => {
      if (preview) setWidgets(preview)
      setPreview(undefined)
    },
    cancel: () => setPreview(undefined),
  })
  const move = (widget: EditedWidget, to: Partial<Box>) => {
    const widgets = put(present.widgets, widget, to)
    const placed = widgets.find(({ key }) => key === widget.key)
    setWidgets(widgets)
    if (placed) setSaid(`${titleOf(widget)}: ${placeWords(placed)}.`)
  }
  const save = (widget: EditedWidget) => {
    const isKnown = present.widgets.some(({ key }) => key === widget.key)
    const others = present.widgets.map((one) => (one.key === widget.key ? widget : one))
    setWidgets(isKnown ? others : [...present.widgets, widget])
    setOpen(undefined)
  }
  const remove = (widget: EditedWidget) => {
    setWidgets(closeGaps(present.widgets.filter((one) => one.key !== widget.key)))
    setSaid(t('{widget} is removed.', { widget: titleOf(widget) }))
  }
  return { grid, shown: preview ?? present.widgets, said, open, setOpen, drag, move, save, remove }
}

function EditedGrid({ edits }: { edits: Edits }) {
  const { present } = edits
  const { look, zoom, change: changeLook } = useLook(present)
  const { grid, shown, said, open, setOpen, drag, move, save, remove } = useGrid(edits)
  return (
    <>
      <Toolbar edits={edits} onAdd={(type) => setOpen(newWidget(type, present.widgets))}>
        <RangeChoice
          range={look.range}
          onChange={(range) => changeLook({ range, from: undefined, to: undefined })}
        />
        {look.variable && <VariableChoice variable={look.variable} onChange={changeLook} />}
      </Toolbar>
      <p id="widget-keys" className="visually-hidden">
        {t('Arrow keys move the widget. With Shift, they change its size.')}
      </p>
      <DashboardGrid items={shown} keyOf={({ key }) => key} gridRef={grid} isEdited>
        {(item) => {
          // The handle stays that of the widget as it stood before it was dragged.
          const widget = present.widgets.find(({ key }) => key === item.key) ?? item
          const { key: _, ...bare } = item
          return (
            <WidgetView
              widget={bare}
              look={look}
              onZoom={zoom}
              corner={<WidgetCorner widget={widget} drag={drag} />}
              tools={
                <WidgetTools
                  widget={widget}
                  place={placeWords(item)}
                  drag={drag}
                  onMove={(to) => move(widget, to)}
                  onOpen={() => setOpen(widget)}
                  onCopy={() => save({ ...widget, key: newKey(), y: bottomOf(present.widgets) })}
                  onRemove={() => remove(widget)}
                />
              }
            />
          )
        }}
      </DashboardGrid>
      <div role="status" className="visually-hidden">
        {said}
      </div>
      {open && (
        <WidgetDialog
          widget={open}
          variable={present.variable}
          onSave={save}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

function placeWords({ x, y, w, h }: Box): string {
  return t('column {column}, row {row}, {width} wide, {height} high', {
    column: x + 1,
    row: y + 1,
    width: w,
    height: h,
  })
}

function newWidget(type: WidgetType, widgets: readonly Box[]): EditedWidget {
  const [w, h] = widgetWords[type].size
  return { key: newKey(), type, x: 0, y: bottomOf(widgets), w, h }
}

interface ToolbarProps {
  edits: Edits
  onAdd: (type: WidgetType) => void
  children: React.ReactNode
}

function Toolbar({ edits, onAdd, children }: ToolbarProps) {
  const { present, change } = edits
  const steps = [
    { label: t('Undo'), Icon: IconArrowBackUp, act: edits.undo },
    { label: t('Redo'), Icon: IconArrowForwardUp, act: edits.redo },
    {
      label: t('Close gaps'),
      Icon: IconLayoutNavbarCollapse,
      act: () => change({ ...present, widgets: closeGaps(present.widgets) }),
    },
  ]
  return (
    <Group gap="sm">
      <Menu>
        <Menu.Target>
          <Button size="xs">{t('Add a widget')}</Button>
        </Menu.Target>
        <Menu.Dropdown mah="24rem" style={{ overflowY: 'auto' }}>
          {Object.entries(widgetWords).map(([type, { name, about }]) => (
            <Menu.Item key={type} onClick={() => onAdd(type as WidgetType)}>
              {name}
              <br />
              <small>{about}</small>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Group gap={4}>
        {steps.map(({ label, Icon, act }) => (
          <Tooltip key={label} label={label}>
            <ActionIcon
              variant="default"
              aria-label={label}
              disabled={act === undefined}
              onClick={act}
            >
              <Icon size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        ))}
      </Group>
      {children}
    </Group>
  )
}
