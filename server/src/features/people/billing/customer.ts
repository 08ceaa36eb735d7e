import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { optionalText } from '../../../http/fields.ts'

/** The customer: what POST /subscription takes and what a subscription shows. */

const addressFields = {
  street: 'street',
  street2: 'street2',
  city: 'city',
  state: 'state',
  zip: 'zip',
  country: 'country',
  fax: 'fax',
  phone: 'phone',
  attention: 'attention',
} as const

const personFields = {
  display_name: 'display name',
  company_name: 'company name',
  first_name: 'first name',
  last_name: 'last name',
  salutation: 'salutation',
  email: 'email',
  website: 'website',
} as const

function texts<const F extends Record<string, string>>(fields: F) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, label]) => [name, optionalText(label)]),
  ) as Record<keyof F, ReturnType<typeof optionalText>>
}

function words<const F extends Record<string, string>>(fields: F) {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, z.string()])) as Record<
    keyof F,
    z.ZodString
  >
}

function optionalObject<S extends z.ZodRawShape>(label: string, shape: S) {
  return z.object(shape, { error: `The ${label} must be an object.` }).nullish()
}

const exampleAddress = {
  street: '12 Quay Street',
  city: 'Galway',
  zip: 'H91 0000',
  country: 'Ireland',
}

export const customerBody = optionalObject('customer', {
  ...texts(personFields),
  billing_address: optionalObject('billing address', texts(addressFields)),
  shipping_address: optionalObject('shipping address', texts(addressFields)),
}).meta({ examples: [{ company_name: 'Harbour Cold Storage', billing_address: exampleAddress }] })

type CustomerBody = z.infer<typeof customerBody>

const addressRecord = z
  .object(words(addressFields))
  .meta({ id: 'Address', examples: [filled(addressFields, exampleAddress)] })

export const customerRecord = z
  .object(
    withExamples(
      {
        customer_id: z.string(),
        ...words(personFields),
        tags: z.array(z.string()),
        ip_address: z.string(),
        crm_account_id: z.string(),
        crm_contact_id: z.string(),
        billing_address: addressRecord,
        shipping_address: addressRecord,
      },
      {
        customer_id: '2',
        display_name: 'Ada Winter',
        company_name: 'Harbour Cold Storage',
        first_name: 'Ada',
        last_name: 'Winter',
        salutation: '',
        email: 'ada@example.com',
        website: '',
        tags: [],
        ip_address: '192.0.2.44',
        crm_account_id: '',
        crm_contact_id: '',
      },
    ),
  )
  .meta({ id: 'Customer' })

export type Customer = z.infer<typeof customerRecord>

/** What the service knows about the customer. */
export interface KnownCustomer {
  organizationId: number
  company: string
  firstName: string
  lastName: string
  email: string
  addressLine1: string
  addressLine2: string
  ipAddress: string
}

/** The customer as sent, completed by what is known. */
export function toCustomer(sent: CustomerBody, known: KnownCustomer): Customer {
  const person = filled(personFields, sent)
  const firstName = person.first_name || known.firstName
  const lastName = person.last_name || known.lastName
  const ownAddress = { street: known.addressLine1, street2: known.addressLine2 }
  const billingAddress = filled(addressFields, sent?.billing_address ?? ownAddress)
  return {
    customer_id: String(known.organizationId),
    ...person,
    display_name: person.display_name || `${firstName} ${lastName}`.trim(),
    company_name: person.company_name || known.company,
    first_name: firstName,
    last_name: lastName,
    email: person.email || known.email,
    tags: [],
    ip_address: known.ipAddress,
    // Ids in a customer relationship system, which this service does not have.
    crm_account_id: '',
    crm_contact_id: '',
    billing_address: billingAddress,
    shipping_address: sent?.shipping_address
      ? filled(addressFields, sent.shipping_address)
      : billingAddress,
  }
}

function filled<const F extends Record<string, string>>(
  fields: F,
  sent: { [name in keyof F]?: string | null | undefined } | null | undefined,
): Record<keyof F, string> {
  return Object.fromEntries(
    Object.keys(fields).map((name) => [name, sent?.[name] ?? '']),
  ) as Record<keyof F, string>
}
