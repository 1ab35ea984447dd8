<?php
// The WooCommerce functions that the plugin uses.
function wc_get_product( $id ) {
	return $GLOBALS['products'][ $id ] ?? false;
}
function wc_get_products() {
	$all = array_values( $GLOBALS['products'] );
	return (object) array( 'products' => $all, 'total' => count( $all ), 'max_num_pages' => 1 );
}
function get_woocommerce_currency() {
	return 'EUR';
}
function wp_get_attachment_image_url() {
	return false;
}
function wp_strip_all_tags( $text ) {
	return trim( $text );
}
function wp_get_post_terms() {
	return array();
}
