import type { FieldErrors } from './errors.ts'

/**
 * A code for each message, so that a program can translate it. Messages are part of the contract and
 * stay English. Codes do not change: `docs/generated/error-codes.md` shows when one would.
 *
 * What stands in braces are values; `field` is the field's name for people. A message without any comes
 * first, then the first that fits.
 */
export const errorCodes: Record<string, readonly string[]> = {
  required: ['The {field} field is required.', 'The {field} is required.'],
  required_by_model: [
    'The {field} field is required: the catalogue says that this model speaks LoRaWAN {version}.',
  ],
  required_header: ['The {field} header is required and must be an integer.'],
  not_text: ['The {field} must be a string.', 'The {field} must be an object of strings.'],
  not_integer: ['The {field} must be an integer.', 'The {field} must be a whole number.'],
  not_number: ['The {field} must be a number.'],
  not_boolean: ['The {field} must be true or false.'],
  not_array: ['The {field} must be an array.', 'The {field} must be a list.'],
  not_object: [
    'The {field} must be an object.',
    'The {field} must be a JSON object.',
    'The {field} field must be an object.',
  ],
  not_id: ['The {field} must be an id.', 'The {field} must be an id, or null.'],
  not_uuid: ['The {field} must be a UUID.'],
  not_email: ['The {field} must be a valid email address.'],
  not_time_zone: ['The time zone must be the name of one, such as Europe/Lisbon.'],
  not_time: [
    'The {field} must be a time such as 2026-02-28T12:00:00Z.',
    'The {field} must be a time, such as {example}.',
  ],
  not_hexadecimal: ['The {field} must contain hexadecimal characters only.'],
  not_whole_bytes: ['The {field} must be whole bytes in hexadecimal.'],
  not_one_line: [
    'The {field} must be one line, without control characters and marks of text direction.',
  ],
  not_allowed_character: ['The {field} contains a character that is not allowed.'],
  separated: ['The {field} must be {length:n} characters, without dashes and colons.'],
  exact_length: ['The {field} must be {length:n} characters.'],
  exact_digits: ['The {field} must be {length:n} digits.'],
  too_long: ['The {field} may not be greater than {limit:n} characters.'],
  too_short: ['The {field} must be at least {limit:n} characters.'],
  too_many_bytes: ['The {field} may not have more than {limit:n} bytes.'],
  too_many_entries: [
    'The {field} may not have more than {limit:n} entries.',
    'The {field} may not have more than {limit:n} items.',
  ],
  too_many_levels: [
    'The {field} may not have more than {limit:n} levels.',
    'The {field} has too many levels.',
  ],
  too_large: ['The {field} is too large.', 'The {field} may not be greater than {size}.'],
  not_in_range: [
    'The {field} must be an integer from {min:n} to {max:n}.',
    'The {field} must be a whole number from {min:n} to {max:n}.',
    'The {field} must be a whole number from {min:n} to {max:n}, or null.',
    'The {field} must be from {min:n} to {max:n}.',
    'The {field} must be a number from {min:n} to {max:n}.',
  ],
  too_small: [
    'The {field} must be an integer of at least {min:n}.',
    'The {field} must be at least {min:n}.',
  ],
  negative: ['The {field} may not be negative.'],
  out_of_range: ['The {field} is out of range.'],
  not_one_of: ['The {field} must be one of: {choices}.'],
  not_some_of: ['The {field} must be some of: {choices}.'],
  invalid: [
    'The selected {field} is invalid.',
    'The selected {field} are invalid.',
    'The {field} is invalid.',
  ],
  unknown: ['The {field} do not exist: {names}.', 'The {field} does not exist.'],
  taken: ['The {field} has already been taken.'],
  not_in_future: ['The {field} must be in the future.', 'The {field} must be a time to come.'],
  not_before_end: ['The {field} must be before the until.', 'The from must be before the {field}.'],
  range_too_long: ['The {field} is too long to be read at once. Choose a shorter one.'],
  not_json: ['The {field} is not valid JSON.'],
  unknown_parameter: ['The parameter {field} is unknown. The known ones are: {names}.'],
  wrong_code: [
    'The {field} is wrong, too old, or was used before.',
    'The {field} is wrong or was used before.',
  ],
  passkey_refused: ['The passkey was not accepted. Please try again.'],
  passkey_known: ['This passkey is registered already.'],
  passkeys_impossible: [
    'Browsers have passkeys only over HTTPS, at a name. Ask the operator to set PUBLIC_URL to such an address.',
  ],
  login_too_old: ['The login has taken too long. Please log in again.'],
  wrong_password: ['You have entered wrong password.'],
  password_needed: ['Please enter your current password to continue.'],
  password_common: ['The password is too common.'],
  password_repeats: ['The password may not be one piece repeated.'],
  password_sequence: ['The password may not be a sequence.'],
  password_is_email: ['The password may not be the e-mail address or its first part.'],
  password_same: ['The new password must differ from the current one.'],
  password_proof_too_old: ['The token is wrong or too old. Please confirm your password again.'],
  link_too_old: [
    'The token is wrong or too old. Please ask for another one.',
    'The invitation was answered or withdrawn, or is too old. Please ask for another one.',
  ],
  name_differs: ['The name is not that of the organization.'],
  already_member: ['This person is a member of the organization already.'],
  owner_has_all: ['The owner of the organization has every permission.'],
  owner_unlimited: ['The owner of the organization cannot be limited to a group.'],
  owner_stays: [
    'The owner of the organization cannot be removed.',
    'The last owner of an organization cannot leave it.',
  ],
  limit_reached: ['The limit of {limit:n} {field} has been reached.'],
  gateway_not_found: ['Gateway not found!'],
  device_not_found: ['device not found'],
  group_not_found: ['Group not found'],
  nothing_here: ['There is nothing at this address.'],
  unauthenticated: ['Unauthenticated.'],
  wrong_credentials: ['These credentials do not match our records.'],
  not_member: ['You are not a member of this organization.'],
  permission_missing: [
    'You do not have the permission {permission}.',
    'This API key does not have the permission {permission}.',
  ],
  permission_not_yours: ['You cannot grant the permission {permission}, which you do not have.'],
  two_factor_required: [
    'This organization requires two-factor authentication. Please set it up first.',
  ],
  session_ended: [
    'An administrator has ended your sessions in this organization. Please log in again.',
  ],
  person_only: ['This takes the login of a person, not an API key.'],
  owners_only: ['Only an owner of your organization can do this.'],
  too_many_requests: ['Too many requests. Please try again later.'],
  busy: ['The service is busy. Please try again shortly.'],
  took_too_long: ['This took too long. Please try again later.'],
  server_error: ['Server error.'],
  body_too_large: ['The request body is too large.', 'The request body holds too many values.'],
  body_not_json: ['The request body is not valid JSON.'],
  repeated_key: ['A request with this Idempotency-Key is still being handled.'],
  key_used: ['The Idempotency-Key was used for another request before.'],
}

/** Of messages about one thing only, that no table could list: by the status of the answer. */
const codesOfStatus: Record<number, string> = {
  400: 'bad_request',
  401: 'not_authenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'too_slow',
  409: 'conflict',
  413: 'request_too_large',
  415: 'unsupported_type',
  422: 'not_valid',
  429: 'slow_down',
  503: 'unavailable',
}

export const generalCodes = Object.values(codesOfStatus)

export type ErrorValues = Record<string, string | number>

interface CodedMessage {
  code: string
  values: ErrorValues
}

const listed = Object.entries(errorCodes).flatMap(([code, templates]) =>
  templates.map((template) => ({ code, template })),
)
const whole = new Map(listed.map(({ code, template }) => [template, code]))
const patterns = listed
  .filter(({ template }) => template.includes('{'))
  .map(({ code, template }) => ({ code, pattern: patternOf(template) }))

/** `{limit:n}` takes a number, and `{field}` any text. */
function patternOf(template: string): RegExp {
  const parts = template.split(/\{(\w+(?::n)?)\}/).map((part, at) => {
    if (at % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const [name, isNumber] = part.split(':')
    return isNumber ? `(?<${name}>-?[\\d.,]*\\d)` : `(?<${name}>.{1,1000}?)`
  })
  return new RegExp(`^${parts.join('')}$`)
}

/** The code of a message, and what stands in it. */
export function codeOf(message: string, status: number): CodedMessage {
  const same = whole.get(message)
  if (same) return { code: same, values: {} }
  for (const { code, pattern } of patterns) {
    const groups = pattern.exec(message)?.groups
    if (groups) return { code, values: readValues(groups) }
  }
  return { code: codesOfStatus[status] ?? 'other', values: {} }
}

function readValues(groups: Record<string, string>): ErrorValues {
  const numbers = new Set(['limit', 'length', 'min', 'max'])
  const entries = Object.entries(groups).map(([name, text]) => [
    name,
    numbers.has(name) ? Number(text.replaceAll(',', '')) : text,
  ])
  return Object.fromEntries(entries)
}

/** What stands beside `errors`, in the same shape. */
export function codesOf(errors: FieldErrors, status: number) {
  const coded = Object.entries(errors).map(([field, messages]) => ({
    field,
    messages: messages.map((message) => codeOf(message, status)),
  }))
  return {
    error_codes: Object.fromEntries(
      coded.map(({ field, messages }) => [field, messages.map(({ code }) => code)]),
    ),
    error_values: Object.fromEntries(
      coded.map(({ field, messages }) => [field, messages.map(({ values }) => values)]),
    ),
  }
}
