/** Where the custom server leaves its bridge for pages; a module without any other import. */
export const BRIDGE_KEY = Symbol.for('holdfast.web.bridge');
