import { PasswordInput, SegmentedControl, Text, TextInput } from '@mantine/core'
import { type Dispatch, type SetStateAction, useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import type { ErrorOf } from '../../../ui/form.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import { type Source, sourceReads } from './sources.ts'
import { toBase64, ZipField } from './zip-field.tsx'

interface Entered {
  kind: 'git' | 'zip'
  name: string
  url: string
  ref: string
  folder: string
  token: string
  archive: File | null
}

const blank: Entered = {
  ...{ kind: 'git', name: '', url: '', ref: '', folder: '', token: '', archive: null },
}

/** Adds a repository or a zip, which is read at once. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const [entered, setEntered] = useState(blank)
  const { kind, name, url, archive, ref, folder, token } = entered
  const add = useAction('POST /device-catalogue/sources', { invalidates: sourceReads })
  const send = async () => {
    const common = { name, folder }
    const body =
      kind === 'git'
        ? { ...common, url, ref, token }
        : { ...common, archive: archive && (await toBase64(archive)) }
    tellRead((await add.mutateAsync({ body })).data)
    onClose()
  }
  return (
    <FormDialog
      title={t('Add a catalogue')}
      action={t('Add and read')}
      needs="manage_account"
      onSubmit={send}
      onClose={onClose}
      noValidate
    >
      {(errorOf) => (
        <>
          <Text size="sm">
            {t(
              "In the layout of ChirpStack's device profiles, or of The Things Network's device repository. Reading takes up to a minute.",
            )}
          </Text>
          <SegmentedControl
            aria-label={t('From')}
            value={kind}
            onChange={(next) =>
              setEntered((before) => ({ ...before, kind: next as 'git' | 'zip' }))
            }
            data={[
              { value: 'git', label: t('Git address') },
              { value: 'zip', label: t('Zip') },
            ]}
          />
          <NameField {...{ entered, setEntered, errorOf }} />
          {kind === 'git' ? (
            <>
              <TextInput
                label={t('Address')}
                withAsterisk
                type="url"
                placeholder="https://github.com/chirpstack/chirpstack-device-profiles"
                value={url}
                error={errorOf('url')}
                onChange={({ currentTarget: { value } }) =>
                  setEntered((before) => ({ ...before, url: value }))
                }
              />
              <GitFields {...{ entered, setEntered, errorOf }} />
            </>
          ) : (
            <>
              <ZipField
                label={t('Choose the zip')}
                file={archive}
                error={errorOf('archive')}
                onChange={(file) => setEntered((before) => ({ ...before, archive: file }))}
              />
              <FolderField {...{ entered, setEntered, errorOf }} />
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}

interface SourceProps {
  source: Source
  onClose: () => void
}

/** Renames a catalogue, or reads other parts or a newer archive of it. */
export function ChangeDialog({ source, onClose }: SourceProps) {
  const { id, name, kind, ref, folder, has_token: hasToken } = source
  const [entered, setEntered] = useState<Entered>({
    ...{ ...blank, name, ref: ref ?? '', folder: folder ?? '' },
  })
  const change = useAction('PATCH /device-catalogue/sources/{source_id}', {
    invalidates: sourceReads,
  })
  const send = async () => {
    const { archive, token } = entered
    const body = {
      ...{ name: entered.name, folder: entered.folder },
      ...(kind === 'git' && { ref: entered.ref, ...(token && { token }) }),
      ...(archive && { archive: await toBase64(archive) }),
    }
    tellRead((await change.mutateAsync({ path: { source_id: id }, body })).data)
    onClose()
  }
  return (
    <FormDialog
      title={t('Change {name}', { name })}
      action={t('Save')}
      needs="manage_account"
      onSubmit={send}
      onClose={onClose}
      noValidate
    >
      {(errorOf) => (
        <>
          <NameField {...{ entered, setEntered, errorOf }} />
          {kind === 'git' ? (
            <GitFields {...{ entered, setEntered, errorOf, hasToken }} />
          ) : (
            <>
              <ZipField
                label={t('Choose another zip')}
                file={entered.archive}
                error={errorOf('archive')}
                onChange={(archive) => setEntered((before) => ({ ...before, archive }))}
              />
              <FolderField {...{ entered, setEntered, errorOf }} />
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}

export function DeleteDialog({ source: { id, name }, onClose }: SourceProps) {
  const remove = useAction('DELETE /device-catalogue/sources/{source_id}', {
    invalidates: sourceReads,
  })
  return (
    <Confirm
      opened
      title={t('Delete {name}?', { name })}
      action={t('Delete the catalogue')}
      onClose={onClose}
      onConfirm={async () => {
        await remove.mutateAsync({ path: { source_id: id } })
        tellSuccess(t('{name} is deleted.', { name }))
      }}
    >
      {t(
        'Its models cannot be chosen any more. Device types that were made of them stay, and find no updates.',
      )}
    </Confirm>
  )
}

interface FieldsProps {
  entered: Entered
  setEntered: Dispatch<SetStateAction<Entered>>
  errorOf: ErrorOf
}

type TextName = 'name' | 'ref' | 'folder' | 'token'

function fieldOf({ entered, setEntered, errorOf }: FieldsProps, name: TextName) {
  return {
    value: entered[name],
    error: errorOf(name),
    autoComplete: 'off',
    spellCheck: false,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setEntered((before) => ({ ...before, [name]: value })),
  }
}

function NameField(props: FieldsProps) {
  return <TextInput label={t('Name')} withAsterisk maxLength={100} {...fieldOf(props, 'name')} />
}

function FolderField(props: FieldsProps) {
  return (
    <TextInput
      label={t('Folder')}
      description={t('Only this part of it is read. Empty: all.')}
      placeholder="vendors/acme"
      {...fieldOf(props, 'folder')}
    />
  )
}

function GitFields({ hasToken = false, ...props }: FieldsProps & { hasToken?: boolean }) {
  return (
    <>
      <TextInput
        label={t('Branch, tag or commit')}
        description={t('Empty: the main branch.')}
        {...fieldOf(props, 'ref')}
      />
      <FolderField {...props} />
      <PasswordInput
        label={t('Token')}
        description={
          hasToken
            ? t('Empty: the token stays as it is.')
            : t('For a repository that is not public. It is never shown again.')
        }
        {...fieldOf(props, 'token')}
        autoComplete="new-password"
      />
    </>
  )
}

function tellRead({ name, models, problems }: Source): void {
  const count = t('{models, plural, one {# model} other {# models}}', { models })
  tellSuccess(
    problems.length === 0
      ? t('{name}: {count}.', { name, count })
      : t('{name}: {count}. Some are left out; the list says why.', { name, count }),
  )
}
