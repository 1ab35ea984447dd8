<?php
/**
 * Plugin Name: Docent
 * Description: Adds a Docent chatbot to your site and keeps its product catalogue in sync with WooCommerce.
 * Version: 1.0.0
 * Requires at least: 6.3
 * Requires PHP: 7.4
 * License: MIT
 */

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

require_once __DIR__ . '/settings.php';
require_once __DIR__ . '/widget.php';
require_once __DIR__ . '/products.php';

register_activation_hook( __FILE__, 'docent_schedule' );
register_deactivation_hook( __FILE__, 'docent_unschedule' );
