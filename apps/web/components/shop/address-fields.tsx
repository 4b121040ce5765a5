'use client';
/** Who gets the parcel, and where. The page keeps the values; the server says which field is wrong. */
import { TextField } from '../ui/text-field.tsx';

export interface ShipTo {
  readonly email: string;
  readonly name: string;
  readonly line1: string;
  readonly line2: string;
  readonly postcode: string;
  readonly city: string;
  readonly country: string;
}

interface AddressFieldsProps {
  readonly value: ShipTo;
  readonly onChange: (next: ShipTo) => void;
  /** The server's name of the field that it refused, such as `shipTo.postcode`. */
  readonly wrongField: string | undefined;
  readonly problem: string | undefined;
}

const SENTENCES: Record<string, string> = {
  email: 'Please write an e-mail address like name@example.com.',
  'shipTo.name': 'Please write who the parcel is for.',
  'shipTo.line1': 'Please write street and number.',
  'shipTo.postcode': 'Please write the postcode.',
  'shipTo.city': 'Please write the town.',
};
const COUNTRIES = [
  ['IE', 'Ireland'],
  ['GB', 'United Kingdom'],
  ['FR', 'France'],
  ['DE', 'Germany'],
  ['NL', 'Netherlands'],
  ['PT', 'Portugal'],
  ['NO', 'Norway'],
  ['DK', 'Denmark'],
] as const;

export function AddressFields({ value, onChange, wrongField, problem }: AddressFieldsProps) {
  const field = (name: keyof ShipTo, path: string) => ({
    name,
    value: value[name],
    problem: wrongField === path ? (SENTENCES[path] ?? problem) : undefined,
    onChange: (event: { target: { value: string } }) => onChange({ ...value, [name]: event.target.value }),
  });
  return (
    <div className="max-w-xl space-y-10">
      <fieldset className="space-y-4">
        <legend className="display mb-4 text-lg">How we reach you</legend>
        <TextField
          label="E-mail"
          type="email"
          autoComplete="email"
          hint="For the receipt, nothing else."
          {...field('email', 'email')}
        />
      </fieldset>
      <fieldset className="grid grid-cols-6 gap-4">
        <legend className="display mb-4 text-lg">Where it goes</legend>
        <TextField className="col-span-6" label="Name" autoComplete="name" {...field('name', 'shipTo.name')} />
        <TextField
          className="col-span-6"
          label="Street and number"
          autoComplete="address-line1"
          {...field('line1', 'shipTo.line1')}
        />
        <TextField
          className="col-span-6"
          label="More, if needed"
          autoComplete="address-line2"
          {...field('line2', 'shipTo.line2')}
        />
        <TextField
          className="col-span-2"
          label="Postcode"
          autoComplete="postal-code"
          {...field('postcode', 'shipTo.postcode')}
        />
        <TextField
          className="col-span-4"
          label="Town"
          autoComplete="address-level2"
          {...field('city', 'shipTo.city')}
        />
        <CountryField value={value.country} onChange={(country) => onChange({ ...value, country })} />
      </fieldset>
    </div>
  );
}

function CountryField({ value, onChange }: { value: string; onChange: (code: string) => void }) {
  return (
    <label className="col-span-6 flex flex-col gap-1.5 text-sm font-medium">
      Country
      <select
        name="country"
        autoComplete="country"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-12 rounded-shop border border-line-strong bg-sheet px-3 text-base font-normal"
      >
        {COUNTRIES.map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
