-- order.audit (P34): since when it has seen a shop order in a state that should pass within seconds, and what lets it
-- find those and the young orders without reading whole tables.
CREATE TABLE tinystore_order.unsettled_order (
  shop_order_id uuid PRIMARY KEY,
  status        text NOT NULL,
  seen_at       timestamptz NOT NULL DEFAULT ops.clock_now()
);
CREATE INDEX shop_order_confirming ON tinystore_order.shop_order (id) WHERE status = 'CONFIRMING';
CREATE INDEX trade_created_at_idx ON tinystore_order.trade USING brin (created_at);
